package dev.reprise.workflows.decision;

import java.time.Duration;

/** The waits between attempts. */
public final class Cooldown {
  private static final int DOUBLINGS_THAT_FIT = 62;

  private Cooldown() {}

  /**
   * {@code min(max, initial · 2^(failures-1))}: with the default policy 1 minute, 2, 4 … 17 h 4 m,
   * then 24 h.
   *
   * @param failures consecutive failures; zero waits not at all
   */
  public static Duration after(int failures, RetryPolicy policy) {
    if (failures <= 0) {
      return Duration.ZERO;
    }
    long initial = policy.initialBackoff().toMillis();
    long max = policy.maxBackoff().toMillis();
    int doublings = Math.min(failures - 1, DOUBLINGS_THAT_FIT);
    return initial > (max >> doublings)
        ? policy.maxBackoff()
        : Duration.ofMillis(initial << doublings);
  }

  /**
   * What the next attempt waits for, from the end of the last one.
   *
   * @param inARow how many attempts in a row ended with this outcome
   * @param failures consecutive counted failures, the last attempt included
   */
  public static Duration of(Outcome outcome, int inARow, int failures, RetryPolicy policy) {
    if (outcome.count() == Outcome.Count.FROM_THIRD && outcome.counted(inARow)) {
      return after(failures, policy);
    }
    return switch (outcome.waiting()) {
      case NONE -> Duration.ZERO;
      case COOLDOWN -> after(failures, policy);
      case AT_LEAST_FIRST_COOLDOWN -> after(Math.max(1, failures), policy);
      case MINUTES -> minutes(inARow);
      case CONFLICT -> Duration.ofSeconds(inARow <= 4 ? 15 : 60);
      case BUSY -> Duration.ofSeconds(inARow <= 1 ? 0 : 15);
      case SOURCE -> ofSource(inARow);
      case SLOW_CHECK -> Duration.ofMinutes(5);
      case HOURLY -> Duration.ofHours(1);
    };
  }

  /** 30 seconds doubling to 5 minutes, for a source that cannot be reached. */
  public static Duration ofSource(int inARow) {
    return Duration.ofSeconds(inARow > 4 ? 300 : Math.min(300, 30L << Math.max(0, inARow - 1)));
  }

  private static Duration minutes(int inARow) {
    return Duration.ofMinutes(inARow > 3 ? 5 : 1L << Math.max(0, inARow - 1));
  }
}
