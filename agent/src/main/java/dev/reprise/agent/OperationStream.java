package dev.reprise.agent;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Struct;
import dev.reprise.agent.operation.OperationListener;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.Result;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One caller following one operation. A caller that reads slowly never holds the operation up and
 * never makes the agent's memory grow: beyond 4 MiB the oldest waiting events are dropped, and an
 * event saying how many takes their place. Snapshot and result are never dropped.
 */
final class OperationStream<T extends MessageLite> implements OperationListener {
  private static final int LIMIT = 4 * 1024 * 1024;

  private final ServerCallStreamObserver<T> call;
  private final StreamShape<T> shape;
  private final Deque<T> waiting = new ArrayDeque<>();
  private int waitingBytes;
  private long dropped;
  private boolean ended;
  private Result result = Result.getDefaultInstance();

  /** To be called before the service's method returns, as gRPC demands of handlers. */
  OperationStream(ServerCallStreamObserver<T> call, StreamShape<T> shape) {
    this.call = call;
    this.shape = shape;
    call.setOnReadyHandler(this::drain);
  }

  @Override
  public synchronized void snapshot(Operation operation) {
    shape.snapshot(operation).ifPresent(call::onNext);
  }

  @Override
  public synchronized void event(Struct event) {
    if (call.isCancelled()) {
      return;
    }
    T message = shape.event(event);
    waiting.addLast(message);
    waitingBytes += message.getSerializedSize();
    drain();
    while (waitingBytes > LIMIT && waiting.size() > 1) {
      waitingBytes -= waiting.removeFirst().getSerializedSize();
      dropped++;
    }
  }

  @Override
  public synchronized void result(Result end) {
    ended = true;
    result = end;
    drain();
  }

  private synchronized void drain() {
    while (call.isReady() && !waiting.isEmpty()) {
      if (dropped > 0) {
        call.onNext(shape.event(StreamShape.note(dropped + " events left out: read too slowly")));
        dropped = 0;
      }
      T message = waiting.removeFirst();
      waitingBytes -= message.getSerializedSize();
      call.onNext(message);
    }
    if (ended && waiting.isEmpty() && !call.isCancelled()) {
      ended = false;
      shape.end(call, result);
    }
  }
}
