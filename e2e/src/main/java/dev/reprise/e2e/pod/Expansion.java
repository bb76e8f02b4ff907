package dev.reprise.e2e.pod;

import java.util.Map;

/** References to variables in commands, arguments and values, as Kubernetes replaces them. */
final class Expansion {
  private Expansion() {}

  /**
   * Replaces every {@code $(NAME)} of a known variable; others stay as they are, and {@code $$} is
   * one dollar sign.
   */
  static String expand(String text, Map<String, String> variables) {
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int end = text.startsWith("$(", at) ? text.indexOf(')', at) : -1;
      if (text.startsWith("$$", at)) {
        expanded.append('$');
        at += 2;
      } else if (end > 0) {
        String reference = text.substring(at, end + 1);
        expanded.append(variables.getOrDefault(text.substring(at + 2, end), reference));
        at = end + 1;
      } else {
        expanded.append(text.charAt(at));
        at++;
      }
    }
    return expanded.toString();
  }
}
