package dev.reprise.workflows.decision;

/**
 * A retry a person asked for and that has not been obeyed yet.
 *
 * @param present whether there is one
 * @param resetFailures start counting anew
 * @param reason who and why, for the record; may be ""
 */
public record PendingRetry(boolean present, boolean resetFailures, String reason) {

  /** Nobody asked. */
  public static final PendingRetry NONE = new PendingRetry(false, false, "");

  /** A request that resets the failures or not. */
  public static PendingRetry of(boolean resetFailures, String reason) {
    return new PendingRetry(true, resetFailures, reason);
  }

  /** Both requests as one: either may reset, the later reason stands. */
  public PendingRetry and(PendingRetry later) {
    if (!later.present) {
      return this;
    }
    return present ? of(resetFailures || later.resetFailures, later.reason) : later;
  }
}
