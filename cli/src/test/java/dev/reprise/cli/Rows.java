package dev.reprise.cli;

import java.time.Instant;
import java.util.Optional;

/** Rows for tests about how rows are shown. */
final class Rows {
  private Rows() {}

  static StackRow ready(String name) {
    return new StackRow(name, "Ready", 1, true, 1, 0, Optional.empty(), "up to date");
  }

  static StackRow failing(String name, long failures, Instant next) {
    return new StackRow(
        name, "CoolingDown", 2, true, failures, failures, Optional.of(next), "no such region");
  }

  static StackRow running(String name) {
    return new StackRow(name, "Running", 1, true, 1, 0, Optional.empty(), "");
  }

  static StackRow stalled(String name) {
    return new StackRow(name, "Stalled", 1, true, 0, 0, Optional.empty(), "spec.stack is missing");
  }
}
