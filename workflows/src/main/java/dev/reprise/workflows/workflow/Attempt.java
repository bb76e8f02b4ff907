package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.FinalizerActivity.MarkInput;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.condition.Situations;
import dev.reprise.workflows.decision.Cause;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.StackDecider;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * One attempt: prepare the workspace, run the operation, record how it ended. Preparing is given up
 * at once for something newer; an operation that was sent is always followed to its end.
 */
final class Attempt {
  private static final Duration SHOW_AFTER = Duration.ofSeconds(1);

  private final StackRef stack;
  private final RunActivities activities;
  private final Inbox inbox;
  private final Display display;
  private final Observation seen;
  private final Decision.Run run;
  private final AttemptState states;
  private boolean overtaken;

  private Attempt(
      StackRef stack,
      RunActivities activities,
      Inbox inbox,
      Display display,
      Observation seen,
      Decision.Run run,
      AttemptState states) {
    this.stack = stack;
    this.activities = activities;
    this.inbox = inbox;
    this.display = display;
    this.seen = seen;
    this.run = run;
    this.states = states;
  }

  /**
   * A new one.
   *
   * @param seen what the decision was made on
   * @param resting the state before the attempt, to return to if nothing is sent
   */
  static Attempt of(
      StackRef stack,
      RunActivities activities,
      Inbox inbox,
      Display display,
      Observation seen,
      Decision.Run run,
      StackState resting) {
    return new Attempt(
        stack, activities, inbox, display, seen, run, AttemptState.beginning(run, resting));
  }

  /**
   * One that a run which was lost began.
   *
   * @param begun the state of that run, as its last report showed it
   */
  static Attempt goingOn(
      StackRef stack,
      RunActivities activities,
      Inbox inbox,
      Display display,
      Observation seen,
      StackState begun) {
    Decision.Run run = new Decision.Run(begun.underway().kind(), Cause.FOLLOWED, false);
    return new Attempt(
        stack, activities, inbox, display, seen, run, AttemptState.goingOn(run, begun));
  }

  /** The state now; after {@link #make}, also when that was cancelled, what to go on with. */
  StackState state() {
    return states.begun();
  }

  /** Makes it. */
  void make() {
    display.event(new StackEvent(false, "StackUpdateDetected", run.why()));
    display.view(seen, states.begun(), Situations.preparing(run, states.begun()));
    WorkspaceOutput workspace;
    try {
      workspace = prepare();
      if (workspace.outcome() == Outcome.SUCCEEDED && (!markedForUp() || overtakenMeanwhile())) {
        workspace = new WorkspaceOutput(Outcome.SUPERSEDED, "");
      }
    } catch (CanceledFailure | ActivityFailure runCancelled) {
      states.nothingSent();
      throw runCancelled;
    }
    if (workspace.outcome() == Outcome.SUPERSEDED) {
      states.nothingSent();
      if (!overtaken) {
        Waits.moment(inbox::anything);
      }
      return;
    }
    if (workspace.outcome() != Outcome.SUCCEEDED) {
      ended(
          Underway.of(run.kind(), seen, ""),
          new OperationOutput(workspace.outcome(), workspace.message(), false, ""));
      return;
    }
    operate();
  }

  /** Follows the operation that is under way to its end; starts nothing. */
  void follow() {
    display.event(new StackEvent(false, "StackUpdateDetected", run.cause().text()));
    operation(states.begun().underway(), true, this::conclude);
  }

  private WorkspaceOutput prepare() {
    // Before anything is asked for: what is asked for and given up in one task cannot be replayed.
    if (overtakenMeanwhile()) {
      return new WorkspaceOutput(Outcome.SUPERSEDED, "");
    }
    WorkspaceInput input =
        new WorkspaceInput(
            stack, seen.generation(), run.kind(), seen.revision(), states.begun().attempt());
    Pending<WorkspaceOutput> pending =
        Pending.start(
            () ->
                Async.function(
                    activities.workspace("prepare for " + title())::ensureWorkspace, input));
    // A workspace that is ready is so at once: a status for that moment would cost a third more.
    Waits.until(
        Waits.now().plus(SHOW_AFTER), "preparing", () -> pending.completed() || inbox.anything());
    while (!pending.completed()) {
      showPreparing();
      Waits.until(
          FollowedOperation.nextShow(), "preparing", () -> pending.completed() || inbox.anything());
      if (pending.completed()) {
        break;
      }
      overtaken = overtaken();
      if (overtaken) {
        pending.cancel("something newer arrived");
        Workflow.await(pending::completed);
        return new WorkspaceOutput(Outcome.SUPERSEDED, "");
      }
    }
    try {
      return pending.get();
    } catch (ActivityFailure failure) {
      if (failure.getCause() instanceof CanceledFailure) {
        throw failure;
      }
      return new WorkspaceOutput(Outcome.UNREACHABLE, FollowedOperation.text(failure));
    }
  }

  /**
   * Until something is sent, the attempt does not count: should the run be lost, it is made anew.
   */
  private void showPreparing() {
    Situation situation = Situations.preparing(run, states.begun());
    states.reported(
        display
            .show(seen, states.begun(), states.resting(), situation, FollowedOperation.nextShow())
            .sequence());
  }

  /** Whether something arrived in the last moment before the next step. */
  private boolean overtakenMeanwhile() {
    while (!overtaken && inbox.anything()) {
      overtaken = overtaken();
    }
    return overtaken;
  }

  /** Looks again when something arrived. */
  private boolean overtaken() {
    if (!inbox.anything()) {
      return false;
    }
    StackState before = states.resting();
    states.takeInPreparing(inbox);
    Holds.events(before, states.resting(), seen).forEach(display::event);
    Observation now = activities.observe(stack, inbox);
    boolean paused = !seen.deleting() && !StackDecider.pause(now, states.resting()).isEmpty();
    return paused || !now.asksTheSameAs(seen);
  }

  /**
   * The mark "an up has been started" is confirmed before the first up is sent: only so can a
   * deletion tell that there may be something to destroy, and only then is there.
   */
  private boolean markedForUp() {
    if (run.kind() != OperationKind.UP) {
      return true;
    }
    states.upStarting();
    return seen.upMarked()
        || activities
            .finalizer("an up is about to start")
            .mark(new MarkInput(stack, true))
            .marked();
  }

  private void operate() {
    inbox.takeCancel();
    LastAttempt last = states.resting().last();
    Underway lost = Underway.of(run.kind(), seen, last.update());
    if (last.lostSightOf(lost)) {
      states.operating(lost);
      operation(states.begun().underway(), true, this::concludeIfFound);
      if (!states.begun().underway().exists()) {
        return;
      }
      if (overtakenMeanwhile() || (!seen.deleting() && !states.resting().hold().isEmpty())) {
        states.nothingSent();
        return;
      }
    }
    String update = OperationActivity.updateName(stack, Waits.now());
    states.operating(Underway.of(run.kind(), seen, update));
    operation(states.begun().underway(), false, this::conclude);
  }

  private void operation(Underway work, boolean attachOnly, Consumer<OperationOutput> conclusion) {
    int attempt = states.begun().attempt();
    new FollowedOperation(
            stack, activities, inbox, seen.policy(), title(), attempt, this::showOperating)
        .run(work, attachOnly, conclusion);
  }

  /** What was asked for meanwhile is recorded at once, so that it is not lost with the run. */
  private void showOperating(String cancelReason) {
    StackState before = states.begun();
    states.takeInOperating(inbox);
    Holds.events(before, states.begun(), seen).forEach(display::event);
    Situation situation =
        cancelReason.isEmpty()
            ? Situations.running(run, states.begun())
            : Situations.cancelling(run, cancelReason);
    states.reported(
        display.show(seen, states.begun(), situation, FollowedOperation.nextShow()).sequence());
  }

  private void concludeIfFound(OperationOutput output) {
    if (output.outcome() != Outcome.INTERRUPTED) {
      conclude(output);
    }
  }

  private void conclude(OperationOutput output) {
    if (output.outcome() == Outcome.SUPERSEDED) {
      states.nothingSent();
      Waits.moment(inbox::anything);
    } else {
      ended(states.begun().underway(), output);
    }
  }

  private void ended(Underway work, OperationOutput output) {
    EndEvents.of(work.kind(), title(), output).forEach(display::event);
    LastAttempt attempt = work.ended(output.outcome(), output.message(), Waits.now());
    LastUpdate before = states.begun().lastUpdate();
    states.ended(attempt, output.sent() ? before.followedBy(attempt, output.permalink()) : before);
    AttemptMetrics.ended(
        work.kind(), output.outcome(), output.outcome().counted(states.begun().inARow()));
  }

  private String title() {
    StackState begun = states.begun();
    return Summaries.operation(
        run.kind(),
        begun.attempt(),
        begun.underway().exists() ? begun.underway().generation() : seen.generation());
  }
}
