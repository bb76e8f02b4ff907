package dev.reprise.workflows.testing;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A worker whose cache is never hit: it never asks the service for the next task of a run it has in
 * memory, so each task comes with the whole history and is replayed from the first event. A small
 * cache alone does not do that where a test has a single run.
 */
public final class Forgetful implements ClientInterceptor {
  private final AtomicInteger forgotten = new AtomicInteger();

  /** How many tasks ended without the run being remembered. */
  public int forgotten() {
    return forgotten.get();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
      @Override
      public void sendMessage(Q message) {
        super.sendMessage(forget(message));
      }
    };
  }

  @SuppressWarnings("unchecked") // The same type as it came in.
  private <Q> Q forget(Q message) {
    if (!(message instanceof RespondWorkflowTaskCompletedRequest completed)
        || !completed.hasStickyAttributes()) {
      return message;
    }
    forgotten.incrementAndGet();
    return (Q) completed.toBuilder().clearStickyAttributes().build();
  }
}
