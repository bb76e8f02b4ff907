package dev.reprise.stack.status;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What stands for a field that is absent. */
final class Absent {
  /** Here, so that no record needs the status to be initialised first, which itself needs them. */
  static final Instant NO_TIME = Instant.MIN;

  private Absent() {}

  static <T> T or(@Nullable T value, T absent) {
    return value == null ? absent : value;
  }

  static String text(@Nullable String value) {
    return or(value, "");
  }

  static Instant time(@Nullable Instant value) {
    return or(value, Absent.NO_TIME);
  }
}
