package dev.reprise.activities.operation;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The times an attempt lives by.
 *
 * @param clock tells the time
 * @param tick how often a silent stream is left for a heartbeat and a look at the limits
 * @param patience how long an agent that does not answer is asked again
 * @param firstPause between two such questions, doubling
 * @param longestPause the most
 * @param graceAfterCancel how long a cancelled operation may take to end; pods of the Pulumi
 *     Kubernetes Operator have 10 minutes
 */
record Timing(
    InstantSource clock,
    Duration tick,
    Duration patience,
    Duration firstPause,
    Duration longestPause,
    Duration graceAfterCancel) {

  static final Timing DEFAULT =
      new Timing(
          InstantSource.system(),
          Duration.ofSeconds(1),
          Duration.ofMinutes(2),
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofMinutes(15));

  /** Counts pauses from now on. */
  Pauses pauses() {
    return new Pauses(this);
  }
}
