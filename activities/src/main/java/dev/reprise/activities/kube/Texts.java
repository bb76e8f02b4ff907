package dev.reprise.activities.kube;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Cuts program output to what fits a place, keeping its beginning and its end. */
public final class Texts {
  private static final String GAP = " … ";

  /** Escape sequences that colour a terminal. */
  private static final Pattern COLOUR = Pattern.compile("\u001B\\[[0-9;]*[A-Za-z]");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}]+");

  /** Lines of the CLI's error that say nothing by themselves. */
  private static final Set<String> EMPTY_LABELS = Set.of("stdout:", "stderr:", "diagnostics:");

  private Texts() {}

  /**
   * One line: the first line that says something, and the last ones that fit.
   *
   * @param limit the most characters
   */
  public static String excerpt(String text, int limit) {
    List<String> lines = meaningful(text);
    if (lines.isEmpty()) {
      return "";
    }
    String first = cut(lines.get(0), lines.size() == 1 ? limit : limit / 2);
    String rest = "";
    for (int i = lines.size() - 1; i > 0; i--) {
      String longer = rest.isEmpty() ? lines.get(i) : lines.get(i) + "; " + rest;
      if (first.length() + GAP.length() + longer.length() > limit) {
        if (rest.isEmpty()) {
          rest = cut(longer, limit - first.length() - GAP.length());
        }
        return first + GAP + rest;
      }
      rest = longer;
    }
    return rest.isEmpty() ? first : first + "; " + rest;
  }

  /**
   * Several lines without colours: the first and the last ones, with a note of what is left out
   * between.
   *
   * @param coloured as a program printed it
   * @param limit the most characters
   */
  public static String bounded(String coloured, int limit) {
    String text = COLOUR.matcher(coloured).replaceAll("");
    if (text.length() <= limit) {
      return text;
    }
    int half = (limit - 64) / 2;
    int head = text.lastIndexOf('\n', half);
    int tail = text.indexOf('\n', text.length() - half);
    String first = start(text, head > 0 ? head : half);
    String last = end(text, tail > 0 ? tail + 1 : text.length() - half);
    int left = text.length() - first.length() - last.length();
    return first + "\n… " + left + " characters left out …\n" + last;
  }

  /** The first line that says something, for a place that shows one. */
  public static String line(String text, int limit) {
    List<String> lines = meaningful(text);
    return lines.isEmpty() ? "" : cut(lines.get(0), limit);
  }

  /** The lines that say something, each without colours and surrounding blanks. */
  public static List<String> meaningful(String text) {
    List<String> lines = new ArrayList<>();
    for (String raw : COLOUR.matcher(text).replaceAll("").split("\\R", -1)) {
      String line = CONTROL.matcher(raw).replaceAll(" ").strip();
      if (!line.isEmpty() && !EMPTY_LABELS.contains(line.toLowerCase(Locale.ROOT))) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** The text, or its beginning and a mark that something is missing. */
  public static String cut(String text, int limit) {
    return text.length() <= limit ? text : start(text, Math.max(0, limit - 1)) + "…";
  }

  /** Never half of a character outside the basic plane: it could not be written as UTF-8. */
  private static String start(String text, int length) {
    boolean halves = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
    return text.substring(0, halves ? length - 1 : length);
  }

  private static String end(String text, int from) {
    return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }
}
