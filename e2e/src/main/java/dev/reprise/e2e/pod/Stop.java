package dev.reprise.e2e.pod;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request to stop, and waits that it ends. */
final class Stop {
  private final CountDownLatch requested = new CountDownLatch(1);

  void request() {
    requested.countDown();
  }

  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits so long, or until the request; whether it came. */
  boolean within(Duration wait) {
    try {
      return requested.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
