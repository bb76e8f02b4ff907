package dev.reprise.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Turns Ctrl-C and SIGTERM into an orderly end of the main thread. */
final class UntilEnded {
  /** Longer than any part of a process takes to close. */
  private static final Duration CLOSING = Duration.ofSeconds(40);

  private static final AtomicReference<Duration> CLOSING_LIMIT = new AtomicReference<>(CLOSING);
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
      Instant asked = Instant.now();
      while (!CLOSED.await(1, TimeUnit.SECONDS)) {
        Duration limit = CLOSING_LIMIT.get();
        if (Instant.now().isAfter(asked.plus(limit))) {
          System.err.println("reprise: did not end within " + limit.toSeconds() + " s");
          return;
        }
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

  /** Lets closing take so much longer, because something has to come to its end. */
  static void allow(Duration more) {
    CLOSING_LIMIT.set(CLOSING.plus(more));
  }

  static void closed() {
    CLOSED.countDown();
  }
}
