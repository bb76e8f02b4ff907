package dev.reprise.e2e.fault;

import java.time.Duration;

/** How long a fault lasts: part of what is done to the product, not a wait for what it does. */
final class Pause {
  private Pause() {}

  static void of(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
