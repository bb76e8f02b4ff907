package dev.reprise.agent;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.reprise.proto.agent.DestroyStream;
import dev.reprise.proto.agent.PreviewStream;
import dev.reprise.proto.agent.RefreshStream;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.WatchResponse;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Function;

/**
 * How an operation looks on one kind of stream.
 *
 * @param snapshots none on the streams of the original protocol
 * @param failuresAsMessages Watch answers a failure as a message, the others close with its status
 */
record StreamShape<T>(
    Function<Operation, Optional<T>> snapshots,
    Function<Struct, T> events,
    Function<Result, T> results,
    boolean failuresAsMessages) {

  static final StreamShape<PreviewStream> PREVIEW =
      plain(
          e -> PreviewStream.newBuilder().setEvent(e).build(),
          r -> PreviewStream.newBuilder().setResult(r.getPreview()).build());
  static final StreamShape<UpStream> UP =
      plain(
          e -> UpStream.newBuilder().setEvent(e).build(),
          r -> UpStream.newBuilder().setResult(r.getUp()).build());
  static final StreamShape<RefreshStream> REFRESH =
      plain(
          e -> RefreshStream.newBuilder().setEvent(e).build(),
          r -> RefreshStream.newBuilder().setResult(r.getRefresh()).build());
  static final StreamShape<DestroyStream> DESTROY =
      plain(
          e -> DestroyStream.newBuilder().setEvent(e).build(),
          r -> DestroyStream.newBuilder().setResult(r.getDestroy()).build());
  static final StreamShape<WatchResponse> WATCH =
      new StreamShape<>(
          o -> Optional.of(WatchResponse.newBuilder().setSnapshot(o).build()),
          e -> WatchResponse.newBuilder().setEvent(e).build(),
          r -> WatchResponse.newBuilder().setResult(r).build(),
          true);

  private static <T> StreamShape<T> plain(Function<Struct, T> events, Function<Result, T> results) {
    return new StreamShape<>(o -> Optional.empty(), events, results, false);
  }

  Optional<T> snapshot(Operation operation) {
    return snapshots.apply(operation);
  }

  T event(Struct event) {
    return events.apply(event);
  }

  void end(StreamObserver<T> call, Result result) {
    if (result.hasFailure() && !failuresAsMessages) {
      call.onError(Statuses.of(result.getFailure()));
    } else {
      call.onNext(results.apply(result));
      call.onCompleted();
    }
  }

  /** An event of the agent itself, in the shape of a line of output. */
  static Struct note(String text) {
    Struct message =
        Struct.newBuilder()
            .putFields("message", Value.newBuilder().setStringValue(text + "\n").build())
            .putFields("color", Value.newBuilder().setStringValue("never").build())
            .build();
    return Struct.newBuilder()
        .putFields("stdoutEvent", Value.newBuilder().setStructValue(message).build())
        .build();
  }
}
