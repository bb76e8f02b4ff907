package dev.reprise.cli;

/** Something a person can mend. The message is one line: what is wrong, and what to do. */
final class UserProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  UserProblem(String message) {
    super(message);
  }

  UserProblem(String message, Throwable cause) {
    super(message, cause);
  }
}
