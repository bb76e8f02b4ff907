package dev.reprise.agent;

import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.operation.Operations;
import dev.reprise.proto.operation.CancelRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.OperationServiceGrpc;
import dev.reprise.proto.operation.WatchRequest;
import dev.reprise.proto.operation.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** Operations by id, whoever started them. */
final class OperationServer extends OperationServiceGrpc.OperationServiceImplBase {
  private final Operations operations;

  OperationServer(Operations operations) {
    this.operations = operations;
  }

  @Override
  public void describe(DescribeRequest request, StreamObserver<Operation> call) {
    call.onNext(operations.describe(request.getId()));
    call.onCompleted();
  }

  @Override
  public void watch(WatchRequest request, StreamObserver<WatchResponse> observer) {
    ServerCallStreamObserver<WatchResponse> call =
        (ServerCallStreamObserver<WatchResponse>) observer;
    OperationStream<WatchResponse> stream = new OperationStream<>(call, StreamShape.WATCH);
    call.setOnCancelHandler(() -> operations.unwatch(stream));
    try {
      operations.watch(request.getId(), stream);
    } catch (OperationException e) {
      call.onError(Statuses.of(e));
    }
  }

  @Override
  public void cancel(CancelRequest request, StreamObserver<Operation> call) {
    if (request.getId().isEmpty()) {
      call.onError(
          Status.INVALID_ARGUMENT.withDescription("cancel needs an id").asRuntimeException());
      return;
    }
    call.onNext(operations.cancel(request.getId(), request.getReason()));
    call.onCompleted();
  }
}
