package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.reprise.agent.operation.OperationException;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sets a value by a path such as {@code app:data.items[0]["a.b"]}. */
final class PropertyPath {
  private static final Pattern SEGMENT =
      Pattern.compile("\\[(\\d{1,4})]|\\[\"((?:[^\"\\\\]|\\\\.)*)\"]|\\.?([^.\\[\\]\"]+)");

  private PropertyPath() {}

  static void set(ObjectNode root, String path, JsonNode value) throws OperationException {
    List<Object> segments = parse(path);
    JsonNode at = root;
    for (int i = 0; i < segments.size(); i++) {
      boolean last = i == segments.size() - 1;
      JsonNode fallback =
          last
              ? value
              : segments.get(i + 1) instanceof Integer
                  ? JsonNodeFactory.instance.arrayNode()
                  : JsonNodeFactory.instance.objectNode();
      at = step(at, segments.get(i), fallback, last, path);
    }
  }

  private static JsonNode step(
      JsonNode at, Object segment, JsonNode fallback, boolean last, String path)
      throws OperationException {
    if (at instanceof ObjectNode object && segment instanceof String name) {
      if (last || !object.has(name)) {
        object.set(name, fallback);
      }
      return object.path(name);
    }
    if (at instanceof ArrayNode array && segment instanceof Integer index) {
      if (index > array.size()) {
        throw bad(path, "index " + index + " leaves a gap in the list");
      }
      if (index == array.size()) {
        array.add(fallback);
      } else if (last) {
        array.set(index, fallback);
      }
      return array.path(index);
    }
    throw bad(path, "the part before \"" + segment + "\" is neither a map nor a list to fit it");
  }

  private static List<Object> parse(String path) throws OperationException {
    List<Object> segments = new ArrayList<>();
    Matcher matcher = SEGMENT.matcher(path);
    int end = 0;
    while (end < path.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw bad(path, "it is not a property path");
      }
      segments.add(segment(matcher));
      end = matcher.end();
    }
    return segments;
  }

  private static Object segment(Matcher matcher) {
    String index = matcher.group(1);
    if (index != null) {
      return Integer.valueOf(index);
    }
    String quoted = matcher.group(2);
    if (quoted != null) {
      return quoted.replaceAll("\\\\(.)", "$1");
    }
    String name = matcher.group(3);
    return name == null ? "" : name;
  }

  private static OperationException bad(String path, String why) {
    return OperationException.of(
        Status.Code.INVALID_ARGUMENT, "config path \"" + path + "\": " + why);
  }
}
