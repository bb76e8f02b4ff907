package dev.reprise.workflows.workflow;

import dev.reprise.workflows.decision.PendingRetry;
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

  /** As the run remembers it; a request without any input is one too. */
  static PendingRetry pending(@Nullable RetryRequest request) {
    return request == null
        ? PendingRetry.of(false, "")
        : PendingRetry.of(request.resetFailures(), Spoken.of(request.reason(), ""));
  }
}
