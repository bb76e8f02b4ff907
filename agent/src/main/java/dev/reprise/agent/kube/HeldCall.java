package dev.reprise.agent.kube;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * A call that waits for a decision. What its transport tells meanwhile is kept and told in the same
 * order once the call may go on; of a refused call nothing is told any more.
 */
final class HeldCall<Q, A> extends ServerCall.Listener<Q> {
  private final ServerCall<Q, A> call;
  private final Context context;
  private final Queue<Consumer<ServerCall.Listener<Q>>> kept = new ArrayDeque<>();
  private ServerCall.Listener<Q> listener = new ServerCall.Listener<>() {};
  private boolean open;

  HeldCall(ServerCall<Q, A> call, Context context) {
    this.call = call;
    this.context = context;
  }

  /** Lets the call go on if the status is OK, closes it otherwise. Called once. */
  void decide(Status status, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!status.isOk()) {
      call.close(status, new Metadata());
      open(new ServerCall.Listener<>() {});
      return;
    }
    context.run(() -> open(next.startCall(call, headers)));
  }

  /** Without the lock while it tells: a handler may work for minutes in there. */
  private void open(ServerCall.Listener<Q> to) {
    while (true) {
      Consumer<ServerCall.Listener<Q>> event;
      synchronized (this) {
        if (kept.isEmpty()) {
          listener = to;
          open = true;
          return;
        }
        event = kept.remove();
      }
      event.accept(to);
    }
  }

  private void tell(Consumer<ServerCall.Listener<Q>> event) {
    ServerCall.Listener<Q> to;
    synchronized (this) {
      if (!open) {
        kept.add(event);
        return;
      }
      to = listener;
    }
    event.accept(to);
  }

  @Override
  public void onMessage(Q message) {
    tell(to -> to.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    tell(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onCancel() {
    tell(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    tell(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    tell(ServerCall.Listener::onReady);
  }
}
