package dev.reprise.workflows.endurance;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Observation.Presence;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.endurance.Journal.Ask;
import dev.reprise.workflows.endurance.Script.Course;
import dev.reprise.workflows.endurance.Script.Plan;
import dev.reprise.workflows.testing.FakeWorld;
import io.temporal.activity.Activity;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A world whose agent remembers its last operation, whose operations may take minutes, and whose
 * status can be read back. It keeps the journal.
 */
final class DrawnWorld extends FakeWorld {
  private static final long BEAT_MILLIS = 10;

  /** From a look to the activity that follows it. */
  private static final Duration SHORTLY = Duration.ofSeconds(2);

  private final LongSupplier clock;
  private final Journal journal;
  private final Deque<Plan> operations;
  private final Deque<Plan> preparations;
  private final Semaphore never = new Semaphore(0);
  private Known known = new Known("", Plan.WELL, Instant.EPOCH);
  private String preparing = "";
  private Plan preparation = Plan.WELL;
  private Instant prepared = Instant.EPOCH;
  private Ask preparedFor = Ask.NOTHING;
  private Instant preparingSince = Instant.EPOCH;
  private Observation looked = Observation.unreadable("");
  private boolean runLost;
  private boolean seeding;

  /** An operation the agent knows. */
  private static final class Known {
    private final String id;
    private final Plan plan;
    private Instant end;
    private Outcome outcome;
    private boolean ended;
    private boolean runLost;
    private int asked;

    Known(String id, Plan plan, Instant end) {
      this.id = id;
      this.plan = plan;
      this.end = end;
      this.outcome = plan.outcome();
      this.ended = id.isEmpty();
    }
  }

  DrawnWorld(LongSupplier clock, Script script, Journal journal) {
    super(clock);
    this.clock = clock;
    this.journal = journal;
    this.operations = new ArrayDeque<>(script.operations());
    this.preparations = new ArrayDeque<>(script.preparations());
  }

  Instant now() {
    return Instant.ofEpochMilli(clock.getAsLong());
  }

  /** From now on everything goes well and at once. */
  synchronized void becomeWell() {
    operations.clear();
    preparations.clear();
    failObserving(0).failReporting(0).failMarking(0);
  }

  /** The run is gone with all it had not told. */
  synchronized void loseRun() {
    known.runLost = true;
    runLost = true;
  }

  /** The next run knows of a lost one what the status shows. */
  synchronized void successor() {
    if (runLost) {
      journal.add(new Journal.Lost(now()));
    }
    seeding = runLost;
    runLost = false;
  }

  @Override
  public Observation observe(StackRef ref) {
    Observation seen = super.observe(ref);
    synchronized (this) {
      looked = seen;
      boolean asksNobody = seen.kind() == OperationKind.REFRESH;
      if (seen.deleting()
          || (seen.pause().isEmpty()
              && !seen.obstacle().exists()
              && (asksNobody || seen.waitingFor().nothing()))) {
        journal.add(new Journal.Saw(now(), Ask.of(seen)));
      } else {
        journal.add(new Journal.Kept(now()));
      }
      if (seeding) {
        seeding = false;
        journal.add(new Journal.Seeded(now(), seen.seed()));
      }
    }
    return seen;
  }

  @Override
  public WorkspaceOutput ensureWorkspace(WorkspaceInput input) {
    boolean followed;
    synchronized (this) {
      endWhatRuns();
      var info = Activity.getExecutionContext().getInfo();
      String task = info.getWorkflowRunId() + info.getActivityId();
      if (!preparing.equals(task)) {
        preparing = task;
        preparation = preparations.isEmpty() ? Plan.WELL : preparations.remove();
        prepared = endOf(preparation);
        preparedFor = Ask.of(looked);
        preparingSince = now();
        journal.add(new Journal.Preparing(preparingSince, preparedFor));
      }
      awayUntil(prepared);
      followed = preparation.course() == Course.FOLLOWED;
    }
    if (followed && !beat(preparation.time())) {
      return new WorkspaceOutput(Outcome.SUPERSEDED, "");
    }
    synchronized (this) {
      Outcome outcome = preparation.outcome();
      journal.add(
          outcome == Outcome.SUCCEEDED
              ? new Journal.Prepared(now())
              : new Journal.NotPrepared(
                  now(),
                  preparedFor,
                  outcome,
                  journal.disturbedSince(preparingSince.minus(SHORTLY))));
      return new WorkspaceOutput(outcome, outcome == Outcome.SUCCEEDED ? "" : "not ready");
    }
  }

  @Override
  public OperationOutput runOperation(OperationInput input) {
    Known operation;
    synchronized (this) {
      if (!known.id.equals(input.operationId())) {
        if (input.attachOnly()) {
          journal.add(new Journal.Ended(now(), input.update(), Outcome.INTERRUPTED, true));
          return new OperationOutput(Outcome.INTERRUPTED, "not known", false, "");
        }
        if (!begin(input)) {
          return new OperationOutput(Outcome.SUPERSEDED, "", false, "");
        }
      }
      operation = known;
    }
    boolean cancelled =
        operation.plan.course() == Course.FOLLOWED
            && !operation.ended
            && !beat(operation.plan.time());
    return end(operation, input, cancelled);
  }

  /** Reads the Stack once more, as the real activity does, and begins if it still asks for this. */
  private boolean begin(OperationInput input) {
    if (!known.ended && !known.runLost) {
      wrong(input.operationId() + " begins while " + known.id + " runs");
    }
    endWhatRuns();
    Observation live = stack.observation();
    Plan plan = operations.isEmpty() ? Plan.WELL : operations.remove();
    if (plan.outcome() == Outcome.SUPERSEDED
        || live.generation() != input.generation()
        || live.deleting() != input.deletion()
        || (!live.deleting() && !live.pause().isEmpty())) {
      return false;
    }
    if (live.presence() != Presence.PRESENT) {
      wrong(input.operationId() + " begins though the Stack is gone");
    }
    if (input.kind() == OperationKind.UP && !(live.finalizer() && live.upMarked())) {
      wrong("an up begins without finalizer and mark");
    }
    Ask ask = Ask.of(looked);
    if (ask.generation() != input.generation() || ask.kind() != input.kind()) {
      wrong("%s begins, looked at was %s".formatted(input, ask));
    }
    known = new Known(input.operationId(), plan, endOf(plan));
    journal.add(new Journal.Sent(now(), ask, input.update()));
    return true;
  }

  private synchronized OperationOutput end(Known operation, OperationInput input, boolean stopped) {
    boolean found = input.attachOnly();
    if (!operation.ended && (!found || operation.asked++ == 0)) {
      awayUntil(operation.end);
    }
    Outcome outcome = stopped ? Outcome.CANCELLED : operation.outcome;
    operation.ended = true;
    if (!operation.runLost || found) {
      journal.add(new Journal.Ended(now(), input.update(), outcome, found));
    }
    if (outcome == Outcome.INTERRUPTED && operation.plan.found() == Outcome.INTERRUPTED) {
      known = new Known("", Plan.WELL, Instant.EPOCH);
    } else {
      operation.outcome = outcome == Outcome.INTERRUPTED ? operation.plan.found() : outcome;
    }
    String message = outcome == Outcome.SUCCEEDED ? "" : "boom";
    return new OperationOutput(outcome, message, true, "");
  }

  /** What still runs is waited for before anything else begins. */
  private void endWhatRuns() {
    if (!known.ended) {
      awayUntil(known.end);
      known.ended = true;
    }
  }

  private Instant endOf(Plan plan) {
    return plan.course() == Course.UNSEEN ? now().plus(plan.time()) : now();
  }

  /** The worker is lost, and another one takes the activity up only then. */
  private void awayUntil(Instant end) {
    Duration left = Duration.between(now(), end);
    if (left.isPositive()) {
      throw ApplicationFailure.newBuilder()
          .setMessage("the worker is lost")
          .setType("Lost")
          .setNextRetryDelay(left)
          .build();
    }
  }

  /** Takes its time; false as soon as the workflow cancels it. */
  private boolean beat(Duration time) {
    try {
      for (long left = time.toMillis(); left > 0; left -= BEAT_MILLIS) {
        Activity.getExecutionContext().heartbeat(null);
        if (never.tryAcquire(BEAT_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException("nobody ends it early");
        }
      }
      return true;
    } catch (ActivityCanceledException cancelled) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the worker is shutting down", stopped);
    }
  }

  private void wrong(String what) {
    journal.add(new Journal.Wrong(now(), what));
  }

  @Override
  public ReleaseOutput release(StackRef ref) {
    journal.add(new Journal.Released(now(), stack.observation().destroyOnDelete()));
    return super.release(ref);
  }

  /** An older report than the one shown is dropped. */
  @Override
  public synchronized ReportOutput report(ReportInput input) {
    if (input.state().sequence() <= stack.observation().shownSequence()) {
      return new ReportOutput(false);
    }
    ReportOutput output = super.report(input);
    stack.seed(input.state());
    journal.add(new Journal.Reported(now(), input));
    return output;
  }
}
