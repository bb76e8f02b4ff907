package dev.reprise.cli.ops;

/** A setting that cannot be used; the message tells a person which one and what to do. */
public final class OpsException extends Exception {
  private static final long serialVersionUID = 1L;

  OpsException(String message, Throwable cause) {
    super(message, cause);
  }
}
