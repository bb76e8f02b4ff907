package dev.reprise.activities.kube;

/** Something a Stack refers to is not there. The message names it and the field, never a value. */
public final class InputMissing extends Exception {
  private static final long serialVersionUID = 1;

  /** With the field, what is missing, and the fix. */
  public InputMissing(String message) {
    super(message);
  }
}
