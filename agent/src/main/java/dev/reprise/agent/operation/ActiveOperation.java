package dev.reprise.agent.operation;

import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import dev.reprise.agent.process.ChildProcess;
import dev.reprise.agent.process.ChildSpec;
import dev.reprise.agent.process.Launcher;
import dev.reprise.agent.process.OutputListener;
import dev.reprise.proto.operation.Kind;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Progress;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.State;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The operation that runs, and everyone who follows it. */
final class ActiveOperation implements OperationContext {
  /** The variable by which a program, and the search for its tree, know the operation. */
  static final String ID_VARIABLE = "REPRISE_OPERATION_ID";

  private static final int LINE_LIMIT = 200;

  private final String id;
  private final Kind kind;
  private final Instant startTime;
  private final InstantSource clock;
  private final Launcher launcher;
  private final Journal journal;
  private final Duration grace;
  private final OutputLog output;
  private final List<OperationListener> listeners = new ArrayList<>();
  private final Progress.Builder progress = Progress.newBuilder();
  private Optional<ChildProcess> child = Optional.empty();
  private Instant lastEventTime;
  private boolean cancelled;
  private String cancelReason = "";

  ActiveOperation(
      String id,
      Kind kind,
      InstantSource clock,
      Launcher launcher,
      Journal journal,
      Duration grace,
      OutputLog output) {
    this.id = id;
    this.kind = kind;
    this.startTime = clock.instant();
    this.clock = clock;
    this.launcher = launcher;
    this.journal = journal;
    this.grace = grace;
    this.output = output;
    this.lastEventTime = startTime;
  }

  @Override
  public String id() {
    return id;
  }

  Kind kind() {
    return kind;
  }

  @Override
  public Instant startTime() {
    return startTime;
  }

  JournalEntry entry(JournalEntry.Event event) {
    return new JournalEntry(event, id, Kinds.word(kind), clock.instant().toString(), 0, 0, false);
  }

  @Override
  public int run(ChildSpec spec, OutputListener listener)
      throws OperationException, InterruptedException {
    ChildProcess started = start(spec);
    try {
      return started.await(listener);
    } finally {
      synchronized (this) {
        child = Optional.empty();
      }
    }
  }

  private synchronized ChildProcess start(ChildSpec spec) throws OperationException {
    if (cancelled) {
      throw OperationException.of(Status.Code.CANCELLED, "nothing was started");
    }
    ChildProcess started;
    try {
      started = launcher.start(spec, Map.of(ID_VARIABLE, id));
    } catch (IOException e) {
      throw OperationException.of(
          Status.Code.UNKNOWN, Kinds.word(kind) + " failed: " + e.getMessage());
    }
    child = Optional.of(started);
    try {
      journal.append(
          new JournalEntry(
              JournalEntry.Event.CHILD,
              id,
              Kinds.word(kind),
              clock.instant().toString(),
              started.identity().pid(),
              started.identity().startTime(),
              started.interruptsGroup()));
    } catch (IOException e) {
      // The mark in its environment still leads a restarted agent to it; only report.
      output.line("the journal could not be written: " + e);
    }
    return started;
  }

  /** Cancels once; a second call changes nothing. */
  synchronized void cancel(String reason) {
    if (cancelled) {
      return;
    }
    cancelled = true;
    cancelReason = reason;
    child.ifPresent(
        running -> {
          running.interrupt();
          CompletableFuture.delayedExecutor(grace.toMillis(), TimeUnit.MILLISECONDS)
              .execute(() -> killIfStill(running));
        });
  }

  private synchronized void killIfStill(ChildProcess running) {
    if (child.filter(current -> current == running).isPresent()) {
      output.line("still running after its grace of " + grace + ": killed");
      running.kill();
    }
  }

  /** The failure of an operation that ended because it was cancelled; {@code e} tells how. */
  synchronized OperationException cancelledFailure(OperationException e) {
    return OperationException.of(
        Status.Code.CANCELLED, Kinds.word(kind) + " cancelled: " + cancelReason + "\n" + e.text());
  }

  synchronized boolean cancelled() {
    return cancelled;
  }

  @Override
  public synchronized void event(Struct event, String line) {
    lastEventTime = clock.instant();
    progress.setEvents(progress.getEvents() + 1);
    if (!line.isBlank()) {
      progress.setLastLine(
          line.length() <= LINE_LIMIT ? line : line.substring(0, LINE_LIMIT) + "…");
    }
    listeners.forEach(listener -> listener.event(event));
  }

  @Override
  public synchronized void resourceStarted() {
    progress.setResourcesStarted(progress.getResourcesStarted() + 1);
  }

  @Override
  public synchronized void resourceDone() {
    progress.setResourcesDone(progress.getResourcesDone() + 1);
  }

  @Override
  public void log(String line) {
    output.line(line);
  }

  synchronized void attach(OperationListener listener) {
    listener.snapshot(describe());
    listeners.add(listener);
  }

  synchronized void detach(OperationListener listener) {
    listeners.remove(listener);
  }

  synchronized void finish(Result result) {
    output.close();
    listeners.forEach(listener -> listener.result(result));
    listeners.clear();
  }

  synchronized Operation describe() {
    return Operation.newBuilder()
        .setId(id)
        .setState(State.STATE_RUNNING)
        .setKind(kind)
        .setStartTime(timestamp(startTime))
        .setLastEventTime(timestamp(lastEventTime))
        .setProgress(progress)
        .setCancelReason(cancelReason)
        .setRunningId(id)
        .build();
  }

  synchronized Operation describeFinished() {
    return describe().toBuilder()
        .setState(State.STATE_FINISHED)
        .setEndTime(timestamp(clock.instant()))
        .clearRunningId()
        .build();
  }

  static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
