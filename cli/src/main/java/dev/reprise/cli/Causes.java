package dev.reprise.cli;

/** Finds the words of a failure that say something. */
final class Causes {
  private Causes() {}

  /** The innermost cause, in one line: outer ones only tell what was being done. */
  static String innermost(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String type = cause.getClass().getSimpleName();
    String message = cause.getMessage();
    if (message == null || message.isBlank()) {
      return type;
    }
    String line = message.lines().findFirst().orElse("");
    return line.contains(" ") ? line : type + ": " + line;
  }
}
