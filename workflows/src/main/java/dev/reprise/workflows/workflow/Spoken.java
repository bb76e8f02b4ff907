package dev.reprise.workflows.workflow;

import org.jspecify.annotations.Nullable;

/** What a person typed with a signal: kept in the status and in every look's history, so short. */
final class Spoken {
  private static final int LONGEST = 300;

  private Spoken() {}

  /**
   * One bounded line.
   *
   * @param otherwise for a person who said nothing
   */
  static String of(@Nullable String text, String otherwise) {
    String line = text == null ? "" : text.replaceAll("\\p{Cntrl}+", " ").strip();
    if (line.isEmpty()) {
      return otherwise;
    }
    if (line.length() <= LONGEST) {
      return line;
    }
    boolean halves = Character.isHighSurrogate(line.charAt(LONGEST - 2));
    return line.substring(0, halves ? LONGEST - 2 : LONGEST - 1) + "…";
  }
}
