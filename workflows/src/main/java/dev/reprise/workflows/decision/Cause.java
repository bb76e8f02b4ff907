package dev.reprise.workflows.decision;

/** Why an attempt is made now. */
public enum Cause {
  FIRST(true, "first run"),
  DELETION(true, "deletion"),
  KIND(true, "another operation is asked for"),
  GENERATION(true, "new generation"),
  RECONCILE_REQUEST(true, "reconciliation request"),
  REVISION(true, "new revision"),
  INPUTS(true, "changed configuration or secret"),
  RETRY_NOW(false, "retry requested"),
  RESYNC(true, "resync"),
  COOLDOWN_OVER(false, "retry after failure"),
  FOLLOWED(false, "followed on from a run that was lost");

  private final boolean resetsFailures;
  private final String text;

  Cause(boolean resetsFailures, String text) {
    this.resetsFailures = resetsFailures;
    this.text = text;
  }

  /** Whether the attempt counts failures anew; a retry request may ask for it in addition. */
  public boolean resetsFailures() {
    return resetsFailures;
  }

  /** A few words for people. */
  public String text() {
    return text;
  }
}
