package dev.reprise.dev.kube;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The label and field selectors of a list or watch. */
final class Selector {
  private static final Pattern SET =
      Pattern.compile("\\s*(\\S+)\\s+(in|notin)\\s*\\(([^)]*)\\)\\s*");
  private static final Pattern EQUALITY =
      Pattern.compile("\\s*([^=!\\s]+)\\s*(!=|==|=)\\s*(\\S*)\\s*");

  private Selector() {}

  static Predicate<JsonNode> of(String labelSelector, String fieldSelector) {
    Predicate<JsonNode> all = object -> true;
    for (String term : terms(labelSelector)) {
      all = all.and(label(term));
    }
    for (String term : terms(fieldSelector)) {
      all = all.and(field(term));
    }
    return all;
  }

  /** Splits at the commas outside of parentheses. */
  private static List<String> terms(String selector) {
    List<String> terms = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i <= selector.length(); i++) {
      char c = i == selector.length() ? ',' : selector.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && (depth == 0 || i == selector.length())) {
        terms.add(selector.substring(start, i).strip());
        start = i + 1;
      }
    }
    terms.removeIf(String::isEmpty);
    return terms;
  }

  private static Predicate<JsonNode> label(String term) {
    Matcher set = SET.matcher(term);
    if (set.matches()) {
      List<String> values = Arrays.stream(set.group(3).split(",", -1)).map(String::strip).toList();
      return set.group(2).equals("in")
          ? object -> hasLabel(object, set.group(1)) && values.contains(label(object, set.group(1)))
          : object ->
              !hasLabel(object, set.group(1)) || !values.contains(label(object, set.group(1)));
    }
    Matcher equality = EQUALITY.matcher(term);
    if (equality.matches()) {
      String name = equality.group(1);
      String value = equality.group(3);
      return equality.group(2).equals("!=")
          ? object -> !hasLabel(object, name) || !label(object, name).equals(value)
          : object -> hasLabel(object, name) && label(object, name).equals(value);
    }
    return term.startsWith("!")
        ? object -> !hasLabel(object, term.substring(1).strip())
        : object -> hasLabel(object, term);
  }

  private static Predicate<JsonNode> field(String term) {
    Matcher equality = EQUALITY.matcher(term);
    if (!equality.matches()) {
      throw ApiError.badRequest("invalid field selector: " + term);
    }
    String[] path = equality.group(1).split("\\.", -1);
    boolean equal = !equality.group(2).equals("!=");
    return object -> Json.text(object, path).equals(equality.group(3)) == equal;
  }

  private static boolean hasLabel(JsonNode object, String name) {
    return object.path("metadata").path("labels").has(name);
  }

  private static String label(JsonNode object, String name) {
    return Json.text(object, "metadata", "labels", name);
  }
}
