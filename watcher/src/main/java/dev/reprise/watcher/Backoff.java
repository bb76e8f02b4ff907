package dev.reprise.watcher;

import java.time.Duration;

/** The waits after consecutive failures: doubling, up to a longest one. For one thread. */
final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration next;

  Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  /** The wait after one more failure. */
  Duration failed() {
    Duration wait = next;
    Duration twice = next.multipliedBy(2);
    next = twice.compareTo(longest) < 0 ? twice : longest;
    return wait;
  }

  void succeeded() {
    next = first;
  }
}
