package dev.reprise.activities.operation;

import com.google.protobuf.Timestamp;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.AgentStatus;
import dev.reprise.activities.operation.OperationStream.Step;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import io.grpc.StatusException;
import io.temporal.client.ActivityCanceledException;
import io.temporal.failure.TimeoutFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one operation over any number of streams: heartbeats, watches its two limits, and passes
 * a cancel on to the agent, but only one that the workflow asked for or a limit demands. Everything
 * else that ends the attempt (shutdown, pause, reset, a lost task) is thrown and only detaches.
 */
final class Follower {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

  private final String operationId;
  private final boolean ours;
  private final Duration idleTimeout;
  private final Duration timeout;
  private final Timing timing;
  private final EventProgress progress;
  private final Consumer<Progress> heartbeat;
  private Instant started;
  private Instant lastEvent;
  private Optional<CancelCause> cancel = Optional.empty();
  private Instant cancelledAt = Instant.MAX;
  private boolean delivered;
  private boolean hungUp;

  /**
   * @param ours whether this attempt may cancel it; another's operation is only waited for
   * @param heartbeat throws when the attempt is to stop
   */
  Follower(
      String operationId,
      boolean ours,
      Duration idleTimeout,
      Duration timeout,
      Timing timing,
      EventProgress progress,
      Consumer<Progress> heartbeat) {
    this.operationId = operationId;
    this.ours = ours;
    this.idleTimeout = idleTimeout;
    this.timeout = timeout;
    this.timing = timing;
    this.progress = progress;
    this.heartbeat = heartbeat;
    this.started = timing.clock().instant();
    this.lastEvent = started;
  }

  /** Why the operation is being cancelled; empty when it is not. */
  Optional<CancelCause> cancel() {
    return cancel;
  }

  /** Whether the call itself was ended, the only way to cancel with an agent without ids. */
  boolean hungUp() {
    return hungUp;
  }

  /** The operation's times begin now, because it is sent now. */
  void sending() {
    started = timing.clock().instant();
    lastEvent = started;
  }

  /**
   * Tells Temporal where the operation stands.
   *
   * @throws io.temporal.client.ActivityCompletionException to detach
   */
  void beat() {
    try {
      heartbeat.accept(progress.shown());
    } catch (ActivityCanceledException e) {
      // The SDK reports a heartbeat that did not get through the same way, but with this cause.
      if (e.getCause() instanceof TimeoutFailure) {
        throw e;
      }
      cancel(CancelCause.PERSON);
    }
  }

  /** Reads the stream to its end. Another's operation is left as soon as a cancel comes. */
  Ending follow(AgentConnection agent, OperationStream stream) throws InterruptedException {
    while (true) {
      switch (stream.next(timing.tick())) {
        case Step.Event event -> {
          lastEvent = timing.clock().instant();
          progress.event(event.event());
        }
        case Step.Snapshot snapshot -> adopt(snapshot.operation());
        case Step.Silence silence -> {}
        case Step.Ended ended -> {
          return ended.ending();
        }
      }
      beat();
      if (ours) {
        checkLimits();
      }
      if (cancel.isPresent() && (!ours || tooLate())) {
        return new Ending.GivenUp();
      }
      deliver(agent, stream);
    }
  }

  private void adopt(Operation operation) {
    progress.adopt(operation.getProgress());
    if (operation.hasStartTime()) {
      started = instant(operation.getStartTime());
      lastEvent = operation.hasLastEventTime() ? instant(operation.getLastEventTime()) : started;
    }
    if (ours && !operation.getCancelReason().isEmpty()) {
      cancel(CancelCause.of(operation.getCancelReason()));
      delivered = true;
    }
  }

  private void checkLimits() {
    Instant now = timing.clock().instant();
    if (!timeout.isZero() && !now.isBefore(started.plus(timeout))) {
      cancel(CancelCause.LIMIT);
    } else if (!idleTimeout.isZero() && !now.isBefore(lastEvent.plus(idleTimeout))) {
      cancel(CancelCause.IDLE);
    }
  }

  /** The first cause stands. */
  private void cancel(CancelCause cause) {
    if (cancel.isEmpty()) {
      cancel = Optional.of(cause);
      cancelledAt = timing.clock().instant();
    }
  }

  private boolean tooLate() {
    return !timing.clock().instant().isBefore(cancelledAt.plus(timing.graceAfterCancel()));
  }

  private void deliver(AgentConnection agent, OperationStream stream) {
    if (cancel.isEmpty() || delivered) {
      return;
    }
    String reason = cancel.get().reason();
    try {
      // An agent that has not yet taken the call up does not know the id: ask again next time.
      delivered = agent.cancel(operationId, reason).getState() != State.STATE_UNKNOWN;
    } catch (StatusException e) {
      if (AgentStatus.of(e).unimplemented()) {
        stream.cancel(reason);
        hungUp = true;
        delivered = true;
      } else {
        LOG.warn(
            "{}: the cancel did not reach the agent yet: {}", operationId, e.getStatus().getCode());
      }
    }
  }

  private static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }
}
