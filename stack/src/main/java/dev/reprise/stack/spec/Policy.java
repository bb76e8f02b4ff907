package dev.reprise.stack.spec;

import java.time.Duration;
import java.util.Map;

/**
 * How one Stack is retried, limited and repeated, complete with the defaults.
 *
 * @param initialBackoff the wait after the first failure; it doubles with each further one
 * @param maxBackoff the longest such wait
 * @param failureLimit after so many consecutive failures stop; 0: never
 * @param stalledAfter from so many consecutive failures on show Stalled; 0: never
 * @param idleTimeout cancel an operation silent for so long; zero: never
 * @param timeout cancel an operation that takes so long; zero: never
 * @param resync repeat a successful update after this long; zero: never
 */
public record Policy(
    Duration initialBackoff,
    Duration maxBackoff,
    long failureLimit,
    long stalledAfter,
    Duration idleTimeout,
    Duration timeout,
    Duration resync) {
  /**
   * A minute doubling to a day without end; two hours of silence; no limit on an operation's
   * length; no resync.
   */
  public static final Policy DEFAULTS =
      new Policy(
          Duration.ofSeconds(60),
          Duration.ofDays(1),
          0,
          0,
          Duration.ofHours(2),
          Duration.ZERO,
          Duration.ZERO);

  // The Pulumi Kubernetes Operator counts smaller frequencies as a minute too.
  private static final long LEAST_RESYNC_SECONDS = 60;

  /**
   * The policy of a Stack: what its spec says, else its annotations, else the defaults.
   *
   * @param annotations the Stack's {@code metadata.annotations}
   * @param defaults what the operator is configured with; its {@code resync} is not used
   * @throws SpecInvalid for a number that is out of range or, in an annotation, none
   */
  public static Policy of(StackSpec spec, Map<String, String> annotations, Policy defaults)
      throws SpecInvalid {
    Duration max = maxBackoff(spec.retryMaxBackoffDurationSeconds(), defaults.maxBackoff());
    return new Policy(
        initialBackoff(spec, annotations, defaults, max),
        max,
        Setting.FAILURE_LIMIT.read(spec, annotations, defaults.failureLimit()),
        Setting.STALLED_AFTER.read(spec, annotations, defaults.stalledAfter()),
        seconds(Setting.IDLE_TIMEOUT.read(spec, annotations, defaults.idleTimeout().toSeconds())),
        seconds(Setting.TIMEOUT.read(spec, annotations, defaults.timeout().toSeconds())),
        resync(spec));
  }

  // A first wait that only stands for want of another, or a short longest one in a manifest of the
  // Pulumi Kubernetes Operator, is no mistake: the longest is never exceeded.
  private static Duration initialBackoff(
      StackSpec spec, Map<String, String> annotations, Policy defaults, Duration max)
      throws SpecInvalid {
    Setting setting = Setting.INITIAL_BACKOFF;
    Duration initial =
        seconds(setting.read(spec, annotations, defaults.initialBackoff().toSeconds()));
    String path = setting.path(spec, annotations);
    if (!path.isEmpty() && initial.compareTo(max) > 0) {
      throw new SpecInvalid(
          path,
          "is longer than the longest wait",
          "lower it, or raise spec." + PolicyDefaults.MAX_BACKOFF);
    }
    return initial;
  }

  /**
   * How failures are retried, in a few words for the status: "60s..86400s", "10s..300s limit 5
   * stalled 3". Two policies that retry alike have the same.
   */
  public String retryInShort() {
    return initialBackoff.toSeconds()
        + "s.."
        + maxBackoff.toSeconds()
        + "s"
        + (failureLimit > 0 ? " limit " + failureLimit : "")
        + (stalledAfter > 0 ? " stalled " + stalledAfter : "");
  }

  // Zero and less mean the default, as in the Pulumi Kubernetes Operator.
  private static Duration maxBackoff(long value, Duration otherwise) {
    return value <= 0 ? otherwise : seconds(value);
  }

  private static Duration resync(StackSpec spec) {
    return spec.continueResyncOnCommitMatch()
        ? seconds(Math.max(LEAST_RESYNC_SECONDS, spec.resyncFrequencySeconds()))
        : Duration.ZERO;
  }

  // Compatible manifests may hold any 64-bit number; beyond a year they all mean "hardly ever".
  private static Duration seconds(long value) {
    return Duration.ofSeconds(Math.min(value, Setting.YEAR_SECONDS));
  }
}
