package dev.reprise.agent;

import com.google.rpc.Status;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.operation.Failure;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** Failures as gRPC statuses with bounded descriptions and, where there are any, details. */
final class Statuses {
  private Statuses() {}

  static StatusRuntimeException of(OperationException e) {
    return of(e.toFailure(), e.trailers());
  }

  static StatusRuntimeException of(Failure failure) {
    return of(failure, new Metadata());
  }

  private static StatusRuntimeException of(Failure failure, Metadata trailers) {
    if (failure.getDetailsCount() == 0) {
      return io.grpc.Status.fromCodeValue(failure.getCode())
          .withDescription(failure.getMessage())
          .asRuntimeException(trailers);
    }
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder()
            .setCode(failure.getCode())
            .setMessage(failure.getMessage())
            .addAllDetails(failure.getDetailsList())
            .build(),
        trailers);
  }
}
