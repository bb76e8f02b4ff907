package dev.reprise.activities.operation;

import java.time.Duration;
import java.time.Instant;

/** Pauses between questions to somebody who does not answer, until patience ends. */
final class Pauses {
  private final Timing timing;
  private final Instant end;
  private Duration next;

  Pauses(Timing timing) {
    this.timing = timing;
    this.end = timing.clock().instant().plus(timing.patience());
    this.next = timing.firstPause();
  }

  /** Waits and returns true, or returns false when it has been long enough. */
  boolean pause() throws InterruptedException {
    if (!timing.clock().instant().plus(next).isBefore(end)) {
      return false;
    }
    Thread.sleep(next);
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(timing.longestPause()) > 0 ? timing.longestPause() : doubled;
    return true;
  }
}
