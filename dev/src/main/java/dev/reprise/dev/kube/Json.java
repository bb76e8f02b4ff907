package dev.reprise.dev.kube;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Parsing and a few accessors that never answer null. */
final class Json {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final ObjectMapper YAML = YAMLMapper.builder().build();

  private Json() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Reads JSON, or YAML when the text does not look like JSON; a 400 when it is neither. */
  static JsonNode parse(String text) {
    String start = text.stripLeading();
    boolean json = start.startsWith("{") || start.startsWith("[");
    try {
      return (json ? JSON : YAML).readTree(text);
    } catch (JacksonException e) {
      throw ApiError.badRequest("error decoding the request body: " + e.getOriginalMessage());
    }
  }

  static ObjectNode parseObject(String text) {
    if (parse(text) instanceof ObjectNode object) {
      return object;
    }
    throw ApiError.badRequest("the request body is not a JSON object");
  }

  /** Reads text that this class has written. */
  static JsonNode parseKey(String text) {
    return JSON.readTree(text);
  }

  static String write(JsonNode node) {
    return JSON.writeValueAsString(node);
  }

  /** The object under {@code name}, put there when it is missing or of another type. */
  static ObjectNode child(ObjectNode parent, String name) {
    if (parent.get(name) instanceof ObjectNode object) {
      return object;
    }
    ObjectNode created = object();
    parent.set(name, created);
    return created;
  }

  /** The text at a path of field names, or "" when there is none. */
  static String text(JsonNode node, String... path) {
    JsonNode current = node;
    for (String name : path) {
      current = current.path(name);
    }
    return current.isValueNode() && !current.isNull() ? current.asString("") : "";
  }

  /** Copies a field, or removes it from {@code to} when {@code from} does not have it. */
  static void copyField(JsonNode from, ObjectNode to, String name) {
    if (from.has(name)) {
      to.set(name, from.path(name).deepCopy());
    } else {
      to.remove(name);
    }
  }
}
