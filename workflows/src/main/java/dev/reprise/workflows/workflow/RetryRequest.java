package dev.reprise.workflows.workflow;

import org.jspecify.annotations.Nullable;

/**
 * A person's wish for one attempt now.
 *
 * @param resetFailures also count failures anew, so that the next cooldown is the first again
 * @param reason who and why, for the record
 */
public record RetryRequest(boolean resetFailures, String reason) {
  /** Tolerates a request typed by hand without a reason. */
  public RetryRequest(boolean resetFailures, @Nullable String reason) {
    this.resetFailures = resetFailures;
    this.reason = reason == null ? "" : reason;
  }
}
