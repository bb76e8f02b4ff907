package dev.reprise.stack.spec;

import java.util.Map;

/**
 * The numbers by which a Stack chooses its own retries and limits: a field of the spec or, where
 * the installed CustomResourceDefinition does not know that field and would drop it, the annotation
 * {@code reprise.dev/} and the field's name.
 */
enum Setting {
  INITIAL_BACKOFF("retry.initialBackoffSeconds", 1, Setting.YEAR_SECONDS),
  FAILURE_LIMIT("retry.failureLimit", 0, Setting.MOST_FAILURES),
  STALLED_AFTER("retry.stalledAfter", 0, Setting.MOST_FAILURES),
  IDLE_TIMEOUT("operation.idleTimeoutSeconds", 0, Setting.YEAR_SECONDS),
  TIMEOUT("operation.timeoutSeconds", 0, Setting.YEAR_SECONDS);

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

  /** The value the Stack asks for, else {@code otherwise}. */
  long read(StackSpec spec, Map<String, String> annotations, long otherwise) throws SpecInvalid {
    String path = "spec." + field;
    long number = in(spec);
    String annotation = annotations.get("reprise.dev/" + field);
    if (number == StackSpec.UNSET) {
      if (annotation == null) {
        return otherwise;
      }
      path = "metadata.annotations[reprise.dev/" + field + "]";
      number = parse(path, annotation);
    }
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

  private long parse(String path, String text) throws SpecInvalid {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new SpecInvalid(path, "is not a whole number", fix());
    }
  }

  private String fix() {
    return "give a whole number from " + least + " to " + most;
  }
}
