package dev.reprise.workflows.decision;

import java.time.Duration;

/**
 * How a failing Stack is retried.
 *
 * @param initialBackoff the cooldown after the first failure
 * @param maxBackoff the longest cooldown; never shorter than {@code initialBackoff} in effect
 * @param failureLimit after so many consecutive failures stop; 0 = never
 * @param stalledAfter from so many consecutive failures on show Stalled and go on; 0 = never
 */
public record RetryPolicy(
    Duration initialBackoff, Duration maxBackoff, int failureLimit, int stalledAfter) {

  /** One minute doubling to one day, without limit. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 0, 0);
}
