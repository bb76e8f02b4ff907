package dev.reprise.cli;

/** The exit codes of all commands. */
final class ExitCode {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int TIMED_OUT = 3;

  private ExitCode() {}
}
