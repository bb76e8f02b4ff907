package dev.reprise.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Turns Ctrl-C and SIGTERM into an orderly end of the main thread. */
final class UntilEnded {
  /** Longer than any part of a process takes to close. */
  private static final Duration CLOSING = Duration.ofSeconds(40);

  private static final CountDownLatch ASKED = new CountDownLatch(1);
  private static final CountDownLatch CLOSED = new CountDownLatch(1);

  private UntilEnded() {}

  /** From now on a signal only asks; the process ends once {@link #closed} is called. */
  static void listen() {
    Runtime.getRuntime().addShutdownHook(new Thread(UntilEnded::askAndWait, "orderly-end"));
  }

  private static void askAndWait() {
    ASKED.countDown();
    try {
      boolean orderly = CLOSED.await(CLOSING.toSeconds(), TimeUnit.SECONDS);
      if (!orderly) {
        System.err.println("reprise: did not end within " + CLOSING.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the signal. */
  static void await() throws InterruptedException {
    ASKED.await();
  }

  /** Waits for the signal, but not longer than this; whether it came. */
  static boolean await(Duration limit) throws InterruptedException {
    return ASKED.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  static void closed() {
    CLOSED.countDown();
  }
}
