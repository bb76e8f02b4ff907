package dev.reprise.activities.agent;

/** There is no token to be had. */
public final class CredentialsUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean denied;

  /**
   * Says why.
   *
   * @param denied whether it stays so until a person grants a right; otherwise it may pass
   * @param message what is missing and what to do
   */
  CredentialsUnavailable(boolean denied, String message, Throwable cause) {
    super(message, cause);
    this.denied = denied;
  }

  /** Whether it stays so until a person grants a right. */
  public boolean denied() {
    return denied;
  }
}
