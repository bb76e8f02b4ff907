package dev.reprise.agent.operation;

import dev.reprise.proto.operation.Kind;
import java.util.Locale;

/** The words for kinds of operations, as in file names, messages and the journal. */
public final class Kinds {
  private static final String PREFIX = "KIND_";

  private Kinds() {}

  /** {@code up} for {@code KIND_UP}. */
  public static String word(Kind kind) {
    return kind.name().substring(PREFIX.length()).toLowerCase(Locale.ROOT);
  }

  static Kind kind(String word) {
    return Kind.valueOf(PREFIX + word.toUpperCase(Locale.ROOT));
  }
}
