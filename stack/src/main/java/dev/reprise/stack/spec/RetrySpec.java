package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * How failed operations are retried; {@link StackSpec#UNSET} where the manifest says nothing.
 *
 * @param initialBackoffSeconds the wait after the first failure
 * @param failureLimit the number of consecutive failures after which to stop; 0: never
 * @param stalledAfter the number of consecutive failures from which on to show Stalled; 0: never
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RetrySpec(Long initialBackoffSeconds, Long failureLimit, Long stalledAfter) {
  static final RetrySpec NONE = new RetrySpec(StackSpec.UNSET, StackSpec.UNSET, StackSpec.UNSET);

  public RetrySpec {
    initialBackoffSeconds = Absent.or(initialBackoffSeconds, StackSpec.UNSET);
    failureLimit = Absent.or(failureLimit, StackSpec.UNSET);
    stalledAfter = Absent.or(stalledAfter, StackSpec.UNSET);
  }
}
