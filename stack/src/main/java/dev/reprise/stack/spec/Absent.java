package dev.reprise.stack.spec;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stands for a field that a manifest leaves out, or sets to null, which Kubernetes treats
 * alike.
 */
final class Absent {
  private Absent() {}

  static <T> T or(@Nullable T value, T absent) {
    return value == null ? absent : value;
  }

  static String text(@Nullable String value) {
    return or(value, "");
  }

  static <T> List<T> list(@Nullable List<T> value) {
    return value == null ? List.of() : List.copyOf(value);
  }

  /** Keeps the manifest's order, for readable messages. */
  static <T> Map<String, T> map(@Nullable Map<String, T> value) {
    return value == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(value));
  }
}
