package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.FinalizerActivity.MarkInput;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.condition.Situations;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.Spread;
import dev.reprise.workflows.decision.StackDecider;
import dev.reprise.workflows.decision.StackState;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The sequence of a run and nothing else: observe, decide, do, again. */
public final class StackWorkflowImpl implements StackWorkflow {
  private static final Duration SLOW_CHECK = Duration.ofMinutes(5);
  private static final Duration HOURLY = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final StackRun run;
  private final RunActivities activities;
  private final Inbox inbox = new Inbox();
  private final Reporter reporter;
  private final Display display;
  private final RunRequests requests;
  private final Spread spread;
  private StackState state;

  /** The state in this moment, for handlers: an attempt under way has its own. */
  private Supplier<StackState> remembered = () -> this.state;

  private boolean carried;
  private long generation;
  private Observation seen = Observation.unreadable("not looked at yet");
  private Decision decision = new Decision.Released(Instant.EPOCH);

  /** Runs before any signal handler, because a signal may be delivered first. */
  @WorkflowInit
  public StackWorkflowImpl(StackRun run) {
    this.run = run;
    this.activities = new RunActivities(TaskQueues.of(run.cluster()));
    this.reporter = new Reporter(activities);
    this.display = new Display(run, reporter);
    this.requests = new RunRequests(run.stack(), activities, display);
    this.spread = Spread.of(run.stack().uid());
    this.carried = run.state() != null;
    this.state = run.state() == null ? StackState.EMPTY : run.state();
    this.generation = run.generation();
  }

  @Override
  public void run(StackRun unused) {
    try {
      while (look()) {}
    } catch (CanceledFailure cancelled) {
      sayGoodbye();
      throw cancelled;
    } catch (ActivityFailure failure) {
      if (failure.getCause() instanceof CanceledFailure cancelled) {
        sayGoodbye();
        throw cancelled;
      }
      throw failure;
    }
  }

  /** One look at the Stack and what follows from it; whether there still is one. */
  private boolean look() {
    try {
      long confirmed = reporter.confirmed();
      seen = activities.observe(run.stack(), inbox);
      switch (seen.presence()) {
        case GONE -> {
          return false;
        }
        case UNREADABLE -> waitUnreadable(seen.detail());
        case PRESENT -> step(confirmed);
      }
    } catch (ActivityFailure failure) {
      if (failure.getCause() instanceof CanceledFailure) {
        throw failure;
      }
      // Activities are retried without end; what still fails is a bug that a deploy will mend.
      waitUnreadable(failure.getActivityType() + " cannot be completed");
    }
    return true;
  }

  private void waitUnreadable(String why) {
    display.unreadable(why);
    Waits.until(Waits.now().plus(SLOW_CHECK), "the Stack cannot be read", inbox::anything);
    trim();
  }

  private void step(long confirmed) {
    remember(confirmed);
    if (generation != 0 && generation != seen.generation()) {
      continueAsNew(seen.generation());
    }
    generation = seen.generation();
    if (!marked()) {
      Waits.moment(inbox::anything);
      return;
    }
    decision = StackDecider.decide(seen, state, Waits.now(), spread);
    switch (decision) {
      case Decision.Run wanted ->
          attempt(
              Attempt.of(run.stack(), activities, inbox, display, seen, wanted, state),
              Attempt::make);
      case Decision.Follow follow ->
          attempt(
              Attempt.goingOn(run.stack(), activities, inbox, display, seen, state),
              Attempt::follow);
      case Decision.Release release -> release();
      case Decision.AwaitingPrerequisites awaiting -> rest(requests.make(awaiting));
      case Decision.Wait wait -> rest(wait);
    }
  }

  /**
   * What the runs remember, corrected by what the object shows.
   *
   * @param confirmed the newest report known to be written when the look began
   */
  private void remember(long confirmed) {
    if (!carried || seen.shownSequence() > state.sequence()) {
      state = seen.seed();
      carried = true;
    } else if (seen.shownSequence() < confirmed) {
      display.again();
    }
    StackState before = state;
    state = inbox.drainInto(state).seeing(seen);
    Holds.events(before, state, seen).forEach(display::event);
  }

  /** Puts the finalizer on before anything else. */
  private boolean marked() {
    return seen.deleting()
        || seen.finalizer()
        || activities.finalizer("finalizer on").mark(new MarkInput(run.stack(), false)).marked();
  }

  private void attempt(Attempt attempt, Consumer<Attempt> doing) {
    remembered = attempt::state;
    try {
      doing.accept(attempt);
    } finally {
      state = attempt.state();
      remembered = () -> state;
    }
  }

  private void release() {
    state = display.show(seen, state, Situations.releasing(), Waits.now().plus(SLOW_CHECK));
    if (!activities.finalizer("finalizer off").release(run.stack()).released()) {
      Waits.until(Waits.now().plus(SLOW_CHECK), "release again", inbox::anything);
    }
  }

  private void rest(Decision.Wait wait) {
    Situation situation = Situations.waiting(wait, state, seen.policy().retry());
    Instant dayAhead = Waits.now().plus(DAY);
    Instant until = wait.until().isAfter(dayAhead) ? dayAhead : wait.until();
    state = display.show(seen, state, situation, promise(wait, until));
    Instant promised = reporter.offered().map(ReportInput::nextWake).orElse(until);
    Waits.until(
        until.isBefore(promised) ? until : promised,
        Summaries.wait(situation, state, until),
        inbox::anything);
    trim();
  }

  /** By when the status is written again; waits that end often do not each cost a write. */
  private static Instant promise(Decision.Wait wait, Instant until) {
    Instant hourly = Waits.now().plus(HOURLY);
    return switch (wait) {
      case Decision.Blocked blocked -> hourly;
      case Decision.AwaitingPrerequisites awaiting -> hourly;
      default -> until;
    };
  }

  /** After a wait, so that a run can never do nothing but continue as new. */
  private void trim() {
    if (Workflow.getInfo().isContinueAsNewSuggested()
        || Workflow.getInfo().getHistoryLength() > run.trimAfterEvents()) {
      continueAsNew(generation);
    }
  }

  private void continueAsNew(long newGeneration) {
    List<StackEvent> events = new ArrayList<>(reporter.settle());
    events.addAll(display.untold());
    if (carried) {
      state = inbox.drainInto(state);
    }
    Workflow.continueAsNew(
        ContinueAsNewOptions.getDefaultInstance(),
        run.next(newGeneration, carried ? state : null, events));
  }

  /**
   * The last words of a run somebody cancelled: a run can then only close, so the status asks the
   * watcher for a successor, which finds everything it needs there. A run that never saw its Stack
   * has nothing to say; the watcher finds it overdue.
   */
  private void sayGoodbye() {
    if (!carried) {
      return;
    }
    Workflow.newDetachedCancellationScope(
            () -> {
              Situation paused =
                  new Situation(Phase.PAUSED, "", "the run was cancelled", "", Instant.EPOCH);
              do {
                state = inbox.drainInto(state);
                state = display.show(seen, state, paused, Instant.EPOCH);
                reporter.flush(SLOW_CHECK);
              } while (inbox.wished());
            })
        .run();
  }

  @Override
  public void wake(@Nullable Hint hint) {
    inbox.wake();
  }

  @Override
  public void retryNow(@Nullable RetryRequest request) {
    inbox.retry(RetryRequest.pending(request));
  }

  @Override
  public String retry(@Nullable RetryRequest request) {
    PendingRetry pending = RetryRequest.pending(request);
    inbox.retry(pending);
    return Answers.toRetry(pending, decision, display.view(), display.phase());
  }

  @Override
  public void validateRetry(@Nullable RetryRequest request) {
    Answers.validateRetry(
        inbox.holdAfter(remembered.get()), inbox.resumed(), display.view(), display.phase());
  }

  @Override
  public void hold(@Nullable String reason) {
    inbox.hold(Spoken.of(reason, "held by a person"));
  }

  @Override
  public void resume() {
    inbox.hold("");
  }

  @Override
  public void cancelOperation(@Nullable String reason) {
    inbox.cancel(Spoken.of(reason, "by a person"));
  }

  @Override
  public String cancel(@Nullable String reason) {
    cancelOperation(reason);
    return Answers.toCancel(decision, display.view());
  }

  @Override
  public void validateCancel(@Nullable String reason) {
    Answers.validateCancel(display.view(), display.phase());
  }

  @Override
  public StackView status() {
    return display.view();
  }
}
