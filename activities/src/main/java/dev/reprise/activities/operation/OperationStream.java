package dev.reprise.activities.operation;

import com.google.protobuf.Struct;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.AgentStatus;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.WatchRequest;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One open stream of an operation, read message by message: what has not been read yet waits at the
 * agent, not in memory here.
 */
final class OperationStream {

  /** What reading brought. */
  sealed interface Step {
    /** An engine event. */
    record Event(Struct event) implements Step {}

    /** Where a watched operation stands. */
    record Snapshot(Operation operation) implements Step {}

    /** The end; nothing follows. */
    record Ended(Ending ending) implements Step {}

    /** Nothing came within the time given. */
    record Silence() implements Step {}
  }

  private final Reading reading;
  private final Consumer<String> cancelling;

  private interface Reading {
    Step next(Duration limit) throws InterruptedException;
  }

  private <T> OperationStream(BlockingClientCall<?, T> call, Function<T, Step> convert) {
    this.reading = limit -> read(call, convert, limit);
    this.cancelling = reason -> call.cancel(reason, null);
  }

  /** Sends the operation under its id. */
  static OperationStream send(AgentConnection agent, String id, OperationRequests requests) {
    var stub = agent.streams(id);
    return switch (requests.kind()) {
      case UP ->
          new OperationStream(
              stub.up(requests.up()),
              m ->
                  m.hasEvent() ? event(m.getEvent()) : finished(OperationResult.of(m.getResult())));
      case PREVIEW ->
          new OperationStream(
              stub.preview(requests.preview()),
              m ->
                  m.hasEvent() ? event(m.getEvent()) : finished(OperationResult.of(m.getResult())));
      case REFRESH ->
          new OperationStream(
              stub.refresh(requests.refresh()),
              m ->
                  m.hasEvent() ? event(m.getEvent()) : finished(OperationResult.of(m.getResult())));
      case DESTROY ->
          new OperationStream(
              stub.destroy(requests.destroy()),
              m ->
                  m.hasEvent() ? event(m.getEvent()) : finished(OperationResult.of(m.getResult())));
    };
  }

  /** Follows an operation that was sent before. */
  static OperationStream watch(AgentConnection agent, String id) {
    return new OperationStream(
        agent.watches().watch(WatchRequest.newBuilder().setId(id).build()),
        m ->
            switch (m.getResponseCase()) {
              case SNAPSHOT -> new Step.Snapshot(m.getSnapshot());
              case EVENT -> event(m.getEvent());
              case RESULT -> new Step.Ended(ending(m.getResult()));
              case RESPONSE_NOT_SET -> new Step.Silence();
            });
  }

  /** Waits at most so long for something new. */
  Step next(Duration limit) throws InterruptedException {
    return reading.next(limit);
  }

  /** Ends the call; an agent that knows no operation ids interrupts the operation then. */
  void cancel(String reason) {
    cancelling.accept(reason);
  }

  private static <T> Step read(
      BlockingClientCall<?, T> call, Function<T, Step> convert, Duration limit)
      throws InterruptedException {
    try {
      T message = call.read(limit.toNanos(), TimeUnit.NANOSECONDS);
      return message == null ? new Step.Ended(new Ending.WithoutResult()) : convert.apply(message);
    } catch (TimeoutException e) {
      return new Step.Silence();
    } catch (StatusException e) {
      AgentStatus status = AgentStatus.of(e);
      return new Step.Ended(
          status.code() == Status.Code.UNKNOWN
              ? new Ending.Failed(status, false)
              : new Ending.Broken(status));
    }
  }

  private static Step event(Struct event) {
    return new Step.Event(event);
  }

  private static Step finished(OperationResult result) {
    return new Step.Ended(new Ending.Finished(result, false));
  }

  private static Ending ending(Result result) {
    return switch (result.getResultCase()) {
      case UP -> new Ending.Finished(OperationResult.of(result.getUp()), result.getCancelled());
      case PREVIEW ->
          new Ending.Finished(OperationResult.of(result.getPreview()), result.getCancelled());
      case REFRESH ->
          new Ending.Finished(OperationResult.of(result.getRefresh()), result.getCancelled());
      case DESTROY ->
          new Ending.Finished(OperationResult.of(result.getDestroy()), result.getCancelled());
      case FAILURE -> new Ending.Failed(AgentStatus.of(result.getFailure()), result.getCancelled());
      case RESULT_NOT_SET -> new Ending.WithoutResult();
    };
  }
}
