package dev.reprise.agent;

import io.grpc.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts the thread that works for a call when the call is cancelled. A cancel handler cannot
 * do that: gRPC runs it on the call's own queue, behind the very work it should interrupt.
 */
final class CallInterrupter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CallInterrupter.class);

  private final Context context = Context.current();
  private final Thread worker = Thread.currentThread();
  private final Context.CancellationListener listener = cancelled -> interrupt();
  private boolean done;

  private CallInterrupter() {}

  static CallInterrupter forThisThread() {
    CallInterrupter interrupter = new CallInterrupter();
    interrupter.context.addListener(interrupter.listener, Runnable::run);
    return interrupter;
  }

  private synchronized void interrupt() {
    if (!done) {
      worker.interrupt();
    }
  }

  /** From here on the thread is left alone; an interrupt that came too late is taken back. */
  @Override
  public void close() {
    synchronized (this) {
      done = true;
    }
    context.removeListener(listener);
    boolean tooLate = Thread.interrupted();
    if (tooLate) {
      log.debug("a call was cancelled after its work was done");
    }
  }
}
