package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.FinalizerActivity.MarkInput;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.condition.Situations;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.StackDecider;
import dev.reprise.workflows.decision.StackState;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;

/**
 * One attempt: prepare the workspace, run the operation, record how it ended. Preparing is given up
 * at once for something newer; an operation that was sent is always followed to its end.
 */
final class Attempt {
  private static final Duration SHOW_HOURLY = Duration.ofHours(1);
  private static final Duration SHOW_AFTER = Duration.ofSeconds(1);

  private final StackRef stack;
  private final RunActivities activities;
  private final Inbox inbox;
  private final Display display;
  private final Observation seen;
  private final Decision.Run run;
  private StackState resting;
  private StackState state;
  private String cancelReason = "";
  private boolean overtaken;

  /**
   * @param seen what the decision was made on
   * @param resting the state before the attempt, to return to if nothing is sent
   */
  Attempt(
      StackRef stack,
      RunActivities activities,
      Inbox inbox,
      Display display,
      Observation seen,
      Decision.Run run,
      StackState resting) {
    this.stack = stack;
    this.activities = activities;
    this.inbox = inbox;
    this.display = display;
    this.seen = seen;
    this.run = run;
    this.resting = resting;
    this.state = resting.beginning(run);
  }

  /** The state now; after {@link #make}, also when that was cancelled, what to go on with. */
  StackState state() {
    return state;
  }

  /** Makes it. */
  void make() {
    display.event(new StackEvent(false, "StackUpdateDetected", run.why()));
    display.view(seen, state, Situations.preparing(run, state));
    WorkspaceOutput workspace;
    try {
      workspace = prepare();
      if (workspace.outcome() == Outcome.SUCCEEDED && !markedForUp()) {
        workspace = new WorkspaceOutput(Outcome.SUPERSEDED, "");
      }
    } catch (CanceledFailure | ActivityFailure runCancelled) {
      nothingSent();
      throw runCancelled;
    }
    if (workspace.outcome() == Outcome.SUPERSEDED) {
      nothingSent();
      if (!overtaken) {
        Waits.moment(inbox::anything);
      }
      return;
    }
    if (workspace.outcome() != Outcome.SUCCEEDED) {
      ended("", new OperationOutput(workspace.outcome(), workspace.message(), false, ""));
      return;
    }
    operate();
  }

  private WorkspaceOutput prepare() {
    WorkspaceInput input =
        new WorkspaceInput(stack, seen.generation(), run.kind(), seen.revision());
    Pending<WorkspaceOutput> pending =
        Pending.start(
            () ->
                Async.function(
                    activities.workspace("prepare for " + title())::ensureWorkspace, input));
    // A workspace that is ready is so at once: a status for that moment would cost a third more.
    Waits.until(
        Waits.now().plus(SHOW_AFTER), "preparing", () -> pending.completed() || inbox.anything());
    while (!pending.completed()) {
      show(Situations.preparing(run, state));
      Waits.until(nextShow(), "preparing", () -> pending.completed() || inbox.anything());
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
      return new WorkspaceOutput(Outcome.UNREACHABLE, text(failure));
    }
  }

  /** Looks again when something arrived; a retry asked for meanwhile is this very attempt. */
  private boolean overtaken() {
    if (!inbox.anything()) {
      return false;
    }
    long sequence = state.sequence();
    resting = inbox.drainInto(resting).reported(sequence);
    boolean reset = run.resetsFailures() || resting.request().resetFailures();
    state = resting.beginning(new Decision.Run(run.kind(), run.cause(), reset));
    Observation now = activities.observe(stack, inbox);
    boolean paused = !seen.deleting() && !StackDecider.pause(now, resting).isEmpty();
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
    state = state.upStarting();
    return seen.upMarked()
        || activities
            .finalizer("an up is about to start")
            .mark(new MarkInput(stack, true))
            .marked();
  }

  private void operate() {
    inbox.takeCancel();
    LastAttempt last = resting.last();
    if (last.lostSightOf(run.kind(), seen.generation(), seen.deleting())) {
      OperationOutput found = operation(last.update(), true);
      if (found.outcome() != Outcome.INTERRUPTED) {
        conclude(last.update(), found);
        return;
      }
    }
    String update = OperationActivity.updateName(stack, Waits.now());
    conclude(update, operation(update, false));
  }

  /** Runs an operation to its end, or only follows one that may still be there. */
  private OperationOutput operation(String update, boolean attachOnly) {
    OperationInput input =
        new OperationInput(
            stack,
            seen.generation(),
            run.kind(),
            seen.deleting(),
            "%s/%d/%s/%s".formatted(stack.uid(), seen.generation(), run.kind().word(), update),
            update,
            attachOnly,
            seen.policy().idleTimeout(),
            seen.policy().timeout());
    Pending<OperationOutput> pending =
        Pending.start(
            () ->
                Async.function(
                    activities.operation(title(), seen.policy().timeout())::runOperation, input));
    try {
      follow(pending);
    } catch (CanceledFailure runCancelled) {
      Workflow.newDetachedCancellationScope(() -> Workflow.await(pending::completed)).run();
      conclude(update, output(pending));
      throw runCancelled;
    }
    return output(pending);
  }

  private void conclude(String update, OperationOutput output) {
    if (output.outcome() == Outcome.SUPERSEDED) {
      nothingSent();
      Waits.moment(inbox::anything);
    } else {
      ended(update, output);
    }
  }

  private void follow(Pending<OperationOutput> pending) {
    show(Situations.running(run, state));
    while (!pending.completed()) {
      Waits.until(
          nextShow(), "status while it runs", () -> pending.completed() || inbox.cancelAsked());
      if (pending.completed()) {
        return;
      }
      if (inbox.cancelAsked()) {
        cancelReason = inbox.takeCancel();
        pending.cancel(cancelReason);
      }
      show(
          cancelReason.isEmpty()
              ? Situations.running(run, state)
              : Situations.cancelling(run, cancelReason));
    }
  }

  private OperationOutput output(Pending<OperationOutput> pending) {
    try {
      OperationOutput output = pending.get();
      return output.outcome() == Outcome.CANCELLED && !cancelReason.isEmpty()
          ? new OperationOutput(
              Outcome.CANCELLED, "cancelled: " + cancelReason, output.sent(), output.permalink())
          : output;
    } catch (ActivityFailure failure) {
      Outcome outcome =
          failure.getCause() instanceof CanceledFailure ? Outcome.CANCELLED : Outcome.INTERRUPTED;
      return new OperationOutput(outcome, text(failure), false, "");
    }
  }

  private void ended(String update, OperationOutput output) {
    Instant now = Waits.now();
    LastAttempt attempt =
        new LastAttempt(
            run.kind(),
            seen.generation(),
            seen.deleting(),
            seen.reconcileRequest(),
            seen.revision(),
            seen.inputs(),
            update,
            output.outcome(),
            output.message(),
            now);
    EndEvents.of(run.kind(), title(), output).forEach(display::event);
    LastUpdate shown =
        output.sent()
            ? state.lastUpdate().followedBy(attempt, output.permalink())
            : state.lastUpdate();
    state = state.ended(attempt, shown);
  }

  /** As if the attempt had not begun, but for the reports it made. */
  private void nothingSent() {
    state = resting.reported(state.sequence());
  }

  private void show(Situation situation) {
    state = display.show(seen, state, situation, nextShow());
  }

  private static Instant nextShow() {
    return Waits.now().plus(SHOW_HOURLY);
  }

  private String title() {
    return Summaries.operation(run.kind(), state.attempt(), seen.generation());
  }

  private static String text(ActivityFailure failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getClass().getSimpleName() + " in activity " + failure.getActivityType();
  }
}
