package dev.reprise.stack.crd;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fields a CustomResourceDefinition declares, in the words of {@code fields.tsv}. */
final class SchemaFields {
  private static final Set<String> ROOT =
      Set.of("apiVersion", "kind", "metadata", "spec", "status");

  private SchemaFields() {}

  /** Type and notes of every field by path. */
  static SortedMap<String, String> of(CustomResourceDefinitionVersion version) {
    SortedMap<String, String> fields = new TreeMap<>();
    walk(
        version,
        (path, schema) -> {
          if (!ROOT.contains(path)) {
            fields.put(path, words(schema));
          }
        });
    required(version)
        .forEach(path -> fields.computeIfPresent(path, (p, words) -> withRequired(words)));
    return fields;
  }

  /** Visits every declared field with its path; {@code []} is an element, {@code {}} a value. */
  static void walk(
      CustomResourceDefinitionVersion version, BiConsumer<String, JSONSchemaProps> visitor) {
    walk("", root(version), visitor);
  }

  static JSONSchemaProps root(CustomResourceDefinitionVersion version) {
    return requireNonNull(version.getSchema().getOpenAPIV3Schema());
  }

  private static void walk(
      String path, JSONSchemaProps schema, BiConsumer<String, JSONSchemaProps> visitor) {
    properties(schema)
        .forEach(
            (name, property) -> {
              String field = path.isEmpty() ? name : path + "." + name;
              visitor.accept(field, property);
              walk(field, property, visitor);
            });
    JSONSchemaProps element = element(schema);
    if (element != null) {
      walk(path + (isList(schema) ? "[]" : "{}"), element, visitor);
    }
  }

  private static List<String> required(CustomResourceDefinitionVersion version) {
    List<String> paths = new ArrayList<>();
    walk(
        version,
        (path, schema) -> {
          JSONSchemaProps element = element(schema);
          JSONSchemaProps holder = element == null ? schema : element;
          String prefix = element == null ? path : path + (isList(schema) ? "[]" : "{}");
          if (holder.getRequired() != null) {
            holder.getRequired().forEach(name -> paths.add(prefix + "." + name));
          }
        });
    return paths;
  }

  private static String withRequired(String words) {
    List<String> parts = new ArrayList<>(List.of(words.split(" (?=enum|min|free-form)", 2)));
    parts.add(1, "required");
    return parts.size() == 2
        ? String.join(" ", parts)
        : parts.get(0) + " required, " + parts.get(2);
  }

  private static String words(JSONSchemaProps schema) {
    List<String> notes = new ArrayList<>();
    if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
      notes.add(
          schema.getEnum().stream()
              .map(value -> value.asString(""))
              .collect(Collectors.joining("|", "enum ", "")));
    }
    if (schema.getMinimum() != null) {
      notes.add("min " + schema.getMinimum().longValue());
    }
    if (schema.getMaximum() != null) {
      notes.add("max " + schema.getMaximum().longValue());
    }
    JSONSchemaProps element = element(schema);
    JSONSchemaProps shown = element == null ? schema : element;
    if (Boolean.TRUE.equals(shown.getXKubernetesPreserveUnknownFields())
        && shown.getType() != null) {
      notes.add("free-form");
    }
    return (type(schema) + " " + String.join(", ", notes)).strip();
  }

  private static String type(JSONSchemaProps schema) {
    JSONSchemaProps element = element(schema);
    if (element != null) {
      return (isList(schema) ? "list of " : "map of ") + type(element);
    }
    if (schema.getType() == null) {
      return "any";
    }
    return schema.getFormat() == null
        ? schema.getType()
        : schema.getType() + " (" + schema.getFormat() + ")";
  }

  private static boolean isList(JSONSchemaProps schema) {
    return "array".equals(schema.getType());
  }

  private static @Nullable JSONSchemaProps element(JSONSchemaProps schema) {
    if (schema.getItems() != null) {
      return schema.getItems().getSchema();
    }
    return schema.getAdditionalProperties() == null
        ? null
        : schema.getAdditionalProperties().getSchema();
  }

  private static Map<String, JSONSchemaProps> properties(JSONSchemaProps schema) {
    return schema.getProperties() == null ? Map.of() : schema.getProperties();
  }
}
