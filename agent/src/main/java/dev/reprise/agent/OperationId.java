package dev.reprise.agent;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Carries the operation id from a call's metadata to the service; empty if there was none. */
final class OperationId implements ServerInterceptor {
  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("reprise-operation-id", Metadata.ASCII_STRING_MARSHALLER);
  private static final Context.Key<String> ID = Context.keyWithDefault("operation-id", "");

  static String current() {
    return ID.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String id = headers.get(HEADER);
    Context context = Context.current().withValue(ID, id == null ? "" : id.strip());
    return Contexts.interceptCall(context, call, headers, next);
  }
}
