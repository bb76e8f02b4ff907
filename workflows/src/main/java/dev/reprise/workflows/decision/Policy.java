package dev.reprise.workflows.decision;

import java.time.Duration;

/**
 * Everything about time and limits a Stack may set, defaults filled in.
 *
 * @param retry how failures are retried
 * @param resync run again so long after a success; zero = never
 * @param idleTimeout cancel an operation after so long without an event; zero = never
 * @param timeout cancel an operation that takes longer; zero = never
 * @param shown the retry policy in the words of the status, by which the watcher knows whether a
 *     run has seen a change; "" = not known
 */
public record Policy(
    RetryPolicy retry, Duration resync, Duration idleTimeout, Duration timeout, String shown) {

  /** The default retry policy, no resync, two hours of silence, no hard limit. */
  public static final Policy DEFAULT =
      new Policy(RetryPolicy.DEFAULT, Duration.ZERO, Duration.ofHours(2), Duration.ZERO, "");
}
