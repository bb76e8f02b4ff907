package dev.reprise.stack.spec;

import java.util.Map;

/**
 * The numbers by which a Stack chooses its own retries and limits: a field of the spec or, where
 * the installed CustomResourceDefinition does not know that field and would drop it, the annotation
 * {@code reprise.dev/} and the field's name.
 */
enum Setting {
  INITIAL_BACKOFF("retry.initialBackoffSeconds", 1, Setting.YEAR_SECONDS),
  FAILURE_LIMIT("retry.failureLimit", 1, Setting.MOST_FAILURES),
  STALLED_AFTER("retry.stalledAfter", 1, Setting.MOST_FAILURES),
  /** Here 0 has a meaning: never. Elsewhere what is not wanted is left out. */
  IDLE_TIMEOUT("operation.idleTimeoutSeconds", 0, Setting.YEAR_SECONDS),
  TIMEOUT("operation.timeoutSeconds", 1, Setting.YEAR_SECONDS);

  /**
   * A wait of more than a year is taken for a slip of the pen, such as milliseconds given as
   * seconds.
   */
  static final long YEAR_SECONDS = 31_536_000;

  private static final long MOST_FAILURES = 1_000_000;

  private final String field;
  private final long least;
  private final long most;

  Setting(String field, long least, long most) {
    this.field = field;
    this.least = least;
    this.most = most;
  }

  /** The name of the field in a spec and, after {@code reprise.dev/}, of the annotation. */
  String field() {
    return field;
  }

  /** The value the Stack asks for, else {@code otherwise}. */
  long read(StackSpec spec, Map<String, String> annotations, long otherwise) throws SpecInvalid {
    String path = path(spec, annotations);
    if (path.isEmpty()) {
      return otherwise;
    }
    long number = in(spec);
    return number == StackSpec.UNSET
        ? parse(path, annotations.getOrDefault(annotation(), ""))
        : checked(path, number);
  }

  /** Where the Stack says something of it; "" when it says nothing. */
  String path(StackSpec spec, Map<String, String> annotations) {
    if (in(spec) != StackSpec.UNSET) {
      return "spec." + field;
    }
    return annotations.containsKey(annotation())
        ? "metadata.annotations[" + annotation() + "]"
        : "";
  }

  private String annotation() {
    return "reprise.dev/" + field;
  }

  /** The number a text holds. */
  long parse(String path, String text) throws SpecInvalid {
    return checked(path, whole(path, text, fix()));
  }

  static long whole(String path, String text, String fix) throws SpecInvalid {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new SpecInvalid(path, "is not a whole number", fix);
    }
  }

  private long checked(String path, long number) throws SpecInvalid {
    if (number < least || number > most) {
      throw new SpecInvalid(path, "is out of range", fix());
    }
    return number;
  }

  private long in(StackSpec spec) {
    return switch (this) {
      case INITIAL_BACKOFF -> spec.retry().initialBackoffSeconds();
      case FAILURE_LIMIT -> spec.retry().failureLimit();
      case STALLED_AFTER -> spec.retry().stalledAfter();
      case IDLE_TIMEOUT -> spec.operation().idleTimeoutSeconds();
      case TIMEOUT -> spec.operation().timeoutSeconds();
    };
  }

  private String fix() {
    return "give a whole number from " + least + " to " + most;
  }
}
