package dev.reprise.agent.operation;

import dev.reprise.agent.process.Launcher;
import dev.reprise.proto.operation.Kind;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.State;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One operation at a time, each under an id that is never started twice: the same id again joins
 * the running operation or gets the kept result, another id is refused while one runs. The result
 * is kept on disk until an operation with another id starts.
 */
public final class Operations implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Operations.class);
  private static final Duration KILL_RESERVE = Duration.ofSeconds(15);

  /** What has to be in order before an operation counts as started. */
  @FunctionalInterface
  public interface Preparation {
    /** The work, or the reason why it cannot even begin. */
    OperationBody prepare() throws OperationException;
  }

  private final Path stateDir;
  private final Launcher launcher;
  private final Duration grace;
  private final InstantSource clock;
  private final Journal journal;
  private Optional<ActiveOperation> active = Optional.empty();
  private Operation last = Operation.getDefaultInstance();
  private Result lastResult = Result.getDefaultInstance();
  private boolean closed;

  /**
   * Opens the state folder, ends what a former agent left running there, and finds the last result.
   *
   * @param stateDir an existing folder that no other running agent uses
   * @param grace how long a child may take to end after SIGINT
   * @throws IOException if the journal cannot be read or written
   */
  public Operations(Path stateDir, Launcher launcher, Duration grace, InstantSource clock)
      throws IOException, InterruptedException {
    this.stateDir = stateDir;
    this.launcher = launcher;
    this.grace = grace;
    this.clock = clock;
    this.journal = Journal.open(stateDir);
    Recovery recovery = new Recovery(launcher, grace);
    recovery.endSurvivors(journal.lastOperation());
    Optional<StoredResult> stored =
        StoredResult.load(stateDir)
            .filter(result -> recovery.belongsTo(result.operation(), journal.lastOperation()));
    if (stored.isPresent()) {
      this.last = stored.get().operation();
      this.lastResult = stored.get().result();
    } else if (!journal.lastOperation().isEmpty()) {
      this.last = recovery.interrupted(journal, clock.instant());
    }
  }

  /**
   * Starts an operation, or joins the one with this id.
   *
   * @param preparation asked for the work only if it really starts; if it fails, the id stays
   *     unused
   * @param listener gets a snapshot, the events after it, and the result
   * @throws OperationException ABORTED if another id runs, ALREADY_EXISTS if this id ran before and
   *     has no result to give, INVALID_ARGUMENT if the id belongs to another kind
   */
  public synchronized void start(
      String id, Kind kind, Preparation preparation, OperationListener listener)
      throws OperationException {
    if (closed) {
      throw OperationException.of(Status.Code.UNAVAILABLE, "the agent is shutting down");
    }
    if (isKnown(id)) {
      join(id, kind, listener);
      return;
    }
    if (active.isPresent()) {
      throw OperationException.busy(active.get().id());
    }
    if (journal.starts(id) > 0) {
      throw startedBefore(id);
    }
    OperationBody body = preparation.prepare();
    ActiveOperation operation = begin(id, kind);
    operation.attach(listener);
    Thread.ofPlatform().name("operation").start(() -> run(operation, body));
  }

  private ActiveOperation begin(String id, Kind kind) throws OperationException {
    ActiveOperation operation =
        new ActiveOperation(id, kind, clock, launcher, journal, grace, new OutputLog(stateDir));
    try {
      journal.append(operation.entry(JournalEntry.Event.STARTED));
      StoredResult.delete(stateDir);
    } catch (IOException e) {
      throw OperationException.of(
          Status.Code.INTERNAL, "the agent's journal cannot be written: " + e);
    }
    last = Operation.getDefaultInstance();
    lastResult = Result.getDefaultInstance();
    active = Optional.of(operation);
    return operation;
  }

  private void join(String id, Kind kind, OperationListener listener) throws OperationException {
    Kind known = active.map(ActiveOperation::kind).orElse(last.getKind());
    if (known != kind) {
      throw OperationException.of(
          Status.Code.INVALID_ARGUMENT,
          "operation " + id + " is a " + Kinds.word(known) + ", not a " + Kinds.word(kind));
    }
    if (active.isEmpty() && last.getState() == State.STATE_INTERRUPTED) {
      throw startedBefore(id);
    }
    follow(listener);
  }

  private void follow(OperationListener listener) {
    if (active.isPresent()) {
      active.get().attach(listener);
    } else {
      listener.snapshot(last);
      listener.result(lastResult);
    }
  }

  private boolean isKnown(String id) {
    return active.map(ActiveOperation::id).orElse(last.getId()).equals(id);
  }

  private static OperationException startedBefore(String id) {
    return OperationException.of(
        Status.Code.ALREADY_EXISTS,
        "operation "
            + id
            + " was started before and has no result any more; an id is never started twice");
  }

  private void run(ActiveOperation operation, OperationBody body) {
    Result result;
    try {
      result = body.run(operation);
    } catch (OperationException e) {
      result = failure(operation, e);
    } catch (InterruptedException e) {
      result =
          failure(
              operation, OperationException.of(Status.Code.UNKNOWN, "the agent was interrupted"));
    } catch (RuntimeException e) {
      log.error("operation {} failed inside the agent", operation.id(), e);
      result =
          failure(
              operation,
              OperationException.of(
                  Status.Code.UNKNOWN,
                  Kinds.word(operation.kind()) + " failed in the agent: " + e));
    }
    finish(operation, result);
  }

  private static Result failure(ActiveOperation operation, OperationException e) {
    OperationException shown = operation.cancelled() ? operation.cancelledFailure(e) : e;
    return Result.newBuilder()
        .setFailure(shown.toFailure())
        .setCancelled(operation.cancelled())
        .build();
  }

  private synchronized void finish(ActiveOperation operation, Result result) {
    last = operation.describeFinished();
    lastResult = result;
    try {
      new StoredResult(last, result).save(stateDir);
      journal.append(operation.entry(JournalEntry.Event.FINISHED));
    } catch (IOException e) {
      // It is still in memory; only a restart of the agent would lose it.
      log.error("the result of {} could not be kept on disk", operation.id(), e);
    }
    active = Optional.empty();
    operation.finish(result);
    notifyAll();
  }

  /** What is known of an id; empty means the running operation or else the last one. */
  public synchronized Operation describe(String id) {
    String running = active.map(ActiveOperation::id).orElse("");
    if (id.isEmpty() || isKnown(id)) {
      Operation known = active.map(ActiveOperation::describe).orElse(last);
      return known.getId().isEmpty()
          ? known.toBuilder().setState(State.STATE_UNKNOWN).build()
          : known;
    }
    return Operation.newBuilder()
        .setId(id)
        .setState(State.STATE_UNKNOWN)
        .setRunningId(running)
        .build();
  }

  /**
   * Follows an operation to its end.
   *
   * @throws OperationException NOT_FOUND if there is nothing to follow
   */
  public synchronized void watch(String id, OperationListener listener) throws OperationException {
    State state = describe(id).getState();
    if (state != State.STATE_RUNNING && state != State.STATE_FINISHED) {
      throw OperationException.of(
          Status.Code.NOT_FOUND,
          state == State.STATE_INTERRUPTED
              ? "operation " + id + " was interrupted when the agent stopped; it has no result"
              : "no operation " + id + " is known here");
    }
    follow(listener);
  }

  /** Stops following; the operation goes on. */
  public synchronized void unwatch(OperationListener listener) {
    active.ifPresent(operation -> operation.detach(listener));
  }

  /** Cancels the operation if it runs; idempotent. */
  public synchronized Operation cancel(String id, String reason) {
    active
        .filter(operation -> operation.id().equals(id))
        .ifPresent(operation -> operation.cancel(reason));
    return describe(id);
  }

  /** Whether an operation runs now. */
  public synchronized boolean running() {
    return active.isPresent();
  }

  /** Cancels what runs, waits for its end (grace included), and closes the journal. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    active.ifPresent(operation -> operation.cancel("the agent is shutting down"));
    long deadline = System.nanoTime() + grace.plus(KILL_RESERVE).toNanos();
    try {
      while (active.isPresent() && System.nanoTime() < deadline) {
        wait(Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    journal.close();
  }
}
