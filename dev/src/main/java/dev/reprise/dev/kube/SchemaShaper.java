package dev.reprise.dev.kube;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Brings a custom resource into the shape of its schema: unknown fields go, defaults come. */
final class SchemaShaper {
  private static final List<String> ALWAYS_THERE = List.of("apiVersion", "kind", "metadata");

  private SchemaShaper() {}

  static void shape(ObjectNode object, Structure.Schema schema) {
    prune(object, schema, true);
    fillIn(object, schema);
  }

  private static void prune(JsonNode node, Structure.Schema schema, boolean resource) {
    if (node instanceof ObjectNode object) {
      object.retain(
          object.propertyNames().stream()
              .filter(name -> (resource && ALWAYS_THERE.contains(name)) || !schema.forbids(name))
              .toList());
      object.forEachEntry(
          (name, value) -> {
            if (!resource || !name.equals("metadata")) {
              Structure.Schema below = schema.field(name);
              prune(value, below, isResource(below));
            }
          });
    } else if (node instanceof ArrayNode list) {
      list.forEach(item -> prune(item, schema.items(), isResource(schema.items())));
    }
  }

  private static boolean isResource(Structure.Schema schema) {
    return schema.node().path("x-kubernetes-embedded-resource").asBoolean(false);
  }

  private static void fillIn(JsonNode node, Structure.Schema schema) {
    if (node instanceof ObjectNode object) {
      schema
          .node()
          .path("properties")
          .forEachEntry(
              (name, declared) -> {
                boolean refusedNull =
                    object.path(name).isNull() && !declared.path("nullable").asBoolean(false);
                if (declared.has("default") && (!object.has(name) || refusedNull)) {
                  object.set(name, declared.path("default").deepCopy());
                }
              });
      object.forEachEntry((name, value) -> fillIn(value, schema.field(name)));
    } else if (node instanceof ArrayNode list) {
      list.forEach(item -> fillIn(item, schema.items()));
    }
  }
}
