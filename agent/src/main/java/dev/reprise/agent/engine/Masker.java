package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Replaces secrets in text by {@code [secret]}. A secret of several lines is masked line by line,
 * as output arrives, and also where it stands in JSON, escaped. Secrets of fewer than three
 * characters are not masked: that would only make the text unreadable and give them away.
 */
final class Masker {
  static final String MASK = "[secret]";
  static final Masker NONE = new Masker(List.of());
  private static final int SHORTEST = 3;

  private final List<String> secrets;

  Masker(Collection<String> secrets) {
    TreeSet<String> longestFirst =
        new TreeSet<>(Comparator.comparingInt(String::length).reversed().thenComparing(s -> s));
    for (String secret : secrets) {
      for (String form : forms(secret)) {
        if (form.length() >= SHORTEST) {
          longestFirst.add(form);
        }
      }
    }
    this.secrets = List.copyOf(longestFirst);
  }

  private static List<String> forms(String secret) {
    List<String> forms = new ArrayList<>(List.of(secret));
    secret.lines().map(String::strip).forEach(forms::add);
    String quoted = JsonValues.MAPPER.valueToTree(secret).toString();
    forms.add(quoted.substring(1, quoted.length() - 1));
    return forms;
  }

  /** The texts inside a JSON value that have to be masked if it is secret. */
  static List<String> leaves(JsonNode value) {
    if (value.isContainerNode()) {
      List<String> leaves = new ArrayList<>();
      value.forEach(child -> leaves.addAll(leaves(child)));
      return leaves;
    }
    return value.isBoolean() || value.isNull() ? List.of() : List.of(value.asText());
  }

  String mask(String text) {
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, MASK);
    }
    return masked;
  }

  boolean finds(String text) {
    return secrets.stream().anyMatch(text::contains);
  }

  Struct mask(Struct struct) {
    if (secrets.isEmpty()) {
      return struct;
    }
    Struct.Builder masked = Struct.newBuilder();
    struct.getFieldsMap().forEach((key, value) -> masked.putFields(mask(key), mask(value)));
    return masked.build();
  }

  private Value mask(Value value) {
    return switch (value.getKindCase()) {
      case STRING_VALUE -> Value.newBuilder().setStringValue(mask(value.getStringValue())).build();
      case STRUCT_VALUE -> Value.newBuilder().setStructValue(mask(value.getStructValue())).build();
      case LIST_VALUE -> {
        ListValue.Builder list = ListValue.newBuilder();
        value.getListValue().getValuesList().forEach(v -> list.addValues(mask(v)));
        yield Value.newBuilder().setListValue(list).build();
      }
      default -> value;
    };
  }
}
