package dev.reprise.activities.kube;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.StringNode;

/**
 * Replaces secret values in texts. Reprise's own agent does so before it answers; other agents do
 * not.
 */
public final class Redactor {
  /** Shorter values would turn ordinary words into noise and hide nothing. */
  private static final int SHORTEST = 4;

  private final List<String> values;

  /**
   * Replaces these values, each line of those that have several, and what they look like within
   * JSON.
   */
  public Redactor(Collection<String> secrets) {
    // Lines of a multi-line secret are printed one by one; the longest first, as one may hold
    // another.
    this.values =
        secrets.stream()
            .flatMap(secret -> Stream.concat(Stream.of(secret), secret.lines()))
            .map(String::strip)
            .flatMap(value -> Stream.of(value, quoted(value)))
            .filter(value -> value.length() >= SHORTEST)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  private static String quoted(String value) {
    String json = StringNode.valueOf(value).toString();
    return json.substring(1, json.length() - 1);
  }

  /** The text without the values. */
  public String apply(String text) {
    String clean = text;
    for (String value : values) {
      clean = clean.replace(value, "[secret]");
    }
    return clean;
  }

  @Override
  public String toString() {
    return "Redactor[" + values.size() + " values]";
  }
}
