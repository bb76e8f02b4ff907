package dev.reprise.workflows.testing;

import dev.reprise.workflows.activity.FinalizerActivity;
import dev.reprise.workflows.activity.ObserveActivity;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.PrerequisiteActivity;
import dev.reprise.workflows.activity.ReportActivity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RunRequest;
import io.temporal.activity.Activity;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** All side effects of a run, scripted: a cluster with one Stack, and its agent. */
public class FakeWorld
    implements ObserveActivity,
        FinalizerActivity,
        WorkspaceActivity,
        OperationActivity,
        PrerequisiteActivity,
        ReportActivity {

  /** An operation the agent saw, when, and how it ended. */
  public record Operation(OperationInput input, Instant start, Outcome outcome) {
    public OperationKind kind() {
      return input.kind();
    }
  }

  public final ObservedStack stack = new ObservedStack();
  private final LongSupplier clock;
  private final Deque<Outcome> outcomes = new ArrayDeque<>();
  private final Deque<WorkspaceOutput> workspaces = new ArrayDeque<>();
  private final List<Operation> operations = new ArrayList<>();
  private final List<OperationInput> followed = new ArrayList<>();
  private final List<ReportInput> reports = new ArrayList<>();
  private final List<RunRequest> requests = new ArrayList<>();
  private final Gate operationGate = new Gate();
  private final Gate workspaceGate = new Gate();
  private final Gate followerGate = new Gate();
  private final Semaphore observing = new Semaphore(0);
  private final Semaphore observed = new Semaphore(0);
  private volatile boolean holdObservation;
  private int prepared;
  private int observeFailures;
  private int reportFailures;
  private int markFailures;
  private Duration followerLost = Duration.ZERO;
  private boolean unfollowed;
  private boolean refuseRequests;
  private boolean supersede;
  private Outcome stillThere = Outcome.INTERRUPTED;

  /** Lets a call through at once, or holds it until the test opens it. */
  private static final class Gate {
    private final Semaphore entered = new Semaphore(0);
    private final Semaphore permits = new Semaphore(0);
    private volatile boolean closed;

    boolean pass() throws InterruptedException {
      if (!closed) {
        return true;
      }
      entered.release();
      while (!permits.tryAcquire(20, TimeUnit.MILLISECONDS)) {
        try {
          Activity.getExecutionContext().heartbeat(null);
        } catch (ActivityCanceledException cancelled) {
          return false;
        }
      }
      return true;
    }
  }

  public FakeWorld(LongSupplier clock) {
    this.clock = clock;
  }

  /** The next operations end so; success when nothing is scripted. */
  public synchronized FakeWorld script(Outcome... next) {
    outcomes.addAll(List.of(next));
    return this;
  }

  /** The next preparation ends so. */
  public synchronized FakeWorld scriptWorkspace(Outcome next, String message) {
    workspaces.add(new WorkspaceOutput(next, message));
    return this;
  }

  /** From now on operations run until {@link #finishOperation}. */
  public FakeWorld holdOperations() {
    operationGate.closed = true;
    return this;
  }

  public FakeWorld holdWorkspaces() {
    workspaceGate.closed = true;
    return this;
  }

  /** Holds who asks for an operation that was lost sight of. */
  public FakeWorld holdFollowers() {
    followerGate.closed = true;
    return this;
  }

  public void awaitFollower() throws InterruptedException {
    assertInTime(followerGate.entered.tryAcquire(30, TimeUnit.SECONDS), "nobody asked for it");
  }

  public void letFollowersThrough() {
    followerGate.closed = false;
    followerGate.permits.release();
  }

  public void awaitOperation() throws InterruptedException {
    assertInTime(operationGate.entered.tryAcquire(30, TimeUnit.SECONDS), "no operation began");
  }

  public void awaitPreparing() throws InterruptedException {
    assertInTime(workspaceGate.entered.tryAcquire(30, TimeUnit.SECONDS), "no preparation began");
  }

  private static void assertInTime(boolean inTime, String otherwise) {
    if (!inTime) {
      throw new AssertionError(otherwise);
    }
  }

  /** Ends the running operation and holds the next one. */
  public void finishOperation() {
    operationGate.permits.release();
  }

  /** Ends the running operation and lets all later ones through. */
  public void letOperationsThrough() {
    operationGate.closed = false;
    operationGate.permits.release();
  }

  /** The running operation goes on, unseen; later ones end at once. */
  public void letLaterOperationsThrough() {
    operationGate.closed = false;
  }

  /** The present preparation is never heard of again; later ones end at once. */
  public void letLaterWorkspacesThrough() {
    workspaceGate.closed = false;
  }

  public void letWorkspacesThrough() {
    workspaceGate.closed = false;
    workspaceGate.permits.release();
  }

  public synchronized FakeWorld failObserving(int times) {
    observeFailures = times;
    return this;
  }

  /** The next look sees the Stack as it is when it begins, and answers only when let. */
  public FakeWorld holdNextObservation() {
    holdObservation = true;
    return this;
  }

  public void awaitObserving() throws InterruptedException {
    assertInTime(observing.tryAcquire(30, TimeUnit.SECONDS), "nobody looked");
  }

  public void letObservationThrough() {
    observed.release();
  }

  public synchronized FakeWorld failReporting(int times) {
    reportFailures = times;
    return this;
  }

  /** Prerequisites cannot be asked to run. */
  public synchronized FakeWorld refuseRequests() {
    refuseRequests = true;
    return this;
  }

  /** What prerequisites were asked for. */
  public synchronized List<RunRequest> requests() {
    return List.copyOf(requests);
  }

  /** So often neither finalizer nor the mark "an up has been started" can be put on. */
  public synchronized FakeWorld failMarking(int times) {
    markFailures = times;
    return this;
  }

  /** The next operation goes on, but its follower is lost, and is back only after this time. */
  public synchronized FakeWorld loseNextFollower(Duration back) {
    followerLost = back;
    return this;
  }

  /** The next operation finds that the Stack is not what it was decided on. */
  public synchronized FakeWorld supersedeNext() {
    supersede = true;
    return this;
  }

  /** An operation that was lost sight of is found again, and ends so. */
  public synchronized FakeWorld findAgain(Outcome outcome) {
    stillThere = outcome;
    return this;
  }

  /** Those that were asked for, not started. */
  public synchronized List<OperationInput> followed() {
    return List.copyOf(followed);
  }

  public synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  public synchronized List<ReportInput> reports() {
    return List.copyOf(reports);
  }

  public synchronized ReportInput lastReport() {
    return reports.getLast();
  }

  public synchronized int prepared() {
    return prepared;
  }

  /** The waits between the starts of operations that follow each other. */
  public synchronized List<Duration> gaps() {
    List<Duration> gaps = new ArrayList<>();
    for (int i = 1; i < operations.size(); i++) {
      gaps.add(Duration.between(operations.get(i - 1).start(), operations.get(i).start()));
    }
    return gaps;
  }

  @Override
  public Observation observe(StackRef ref) {
    synchronized (this) {
      if (observeFailures > 0) {
        observeFailures--;
        throw new IllegalStateException("the API server is away");
      }
    }
    Observation seen = stack.observation();
    if (holdObservation) {
      holdObservation = false;
      observing.release();
      observed.acquireUninterruptibly();
    }
    return seen;
  }

  @Override
  public synchronized RequestOutput requestRuns(RequestInput input) {
    requests.addAll(input.requests());
    List<String> names = input.requests().stream().map(RunRequest::name).toList();
    return refuseRequests
        ? new RequestOutput(List.of(), names.stream().map(n -> n + " cannot be asked").toList())
        : new RequestOutput(names, List.of());
  }

  @Override
  public MarkOutput mark(MarkInput input) {
    synchronized (this) {
      if (markFailures > 0) {
        markFailures--;
        throw new IllegalStateException("the API server refuses writes");
      }
    }
    if (stack.deleting()) {
      return new MarkOutput(false);
    }
    stack.finalizer(true);
    if (input.upStarting()) {
      stack.upMarked(true);
    }
    return new MarkOutput(true);
  }

  @Override
  public ReleaseOutput release(StackRef ref) {
    stack.finalizer(false);
    return new ReleaseOutput(true);
  }

  @Override
  public WorkspaceOutput ensureWorkspace(WorkspaceInput input) {
    synchronized (this) {
      prepared++;
    }
    pass(workspaceGate);
    synchronized (this) {
      return workspaces.isEmpty() ? WorkspaceOutput.READY : workspaces.remove();
    }
  }

  @Override
  public OperationOutput runOperation(OperationInput input) {
    Instant start = Instant.ofEpochMilli(clock.getAsLong());
    synchronized (this) {
      if (supersede) {
        supersede = false;
        return new OperationOutput(Outcome.SUPERSEDED, "", false, "");
      }
      if (followerLost.isPositive()) {
        Duration back = followerLost;
        followerLost = Duration.ZERO;
        unfollowed = true;
        throw ApplicationFailure.newBuilder()
            .setMessage("the worker is lost")
            .setType("Lost")
            .setNextRetryDelay(back)
            .build();
      }
    }
    if (input.attachOnly() && !unfollowed) {
      pass(followerGate);
      synchronized (this) {
        followed.add(input);
        return new OperationOutput(stillThere, "", true, "");
      }
    }
    boolean through = pass(operationGate);
    synchronized (this) {
      Outcome next = outcomes.isEmpty() ? Outcome.SUCCEEDED : outcomes.remove();
      Outcome outcome = through ? next : Outcome.CANCELLED;
      operations.add(new Operation(input, start, outcome));
      String message = outcome == Outcome.SUCCEEDED ? "" : "boom";
      return new OperationOutput(outcome, message, true, "");
    }
  }

  private static boolean pass(Gate gate) {
    try {
      return gate.pass();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the worker is shutting down", stopped);
    }
  }

  @Override
  public synchronized ReportOutput report(ReportInput input) {
    if (reportFailures > 0) {
      reportFailures--;
      throw new IllegalStateException("the API server refuses writes");
    }
    reports.add(input);
    stack.shownSequence(input.state().sequence());
    return new ReportOutput(true);
  }
}
