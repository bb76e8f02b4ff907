package dev.reprise.activities.workspace.pod;

import dev.reprise.stack.spec.SpecInvalid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kubernetes' strategic merge patch: objects are merged field by field, null removes a field, lists
 * of {@link MergeKeys} are merged item by item, other lists are replaced. Understands the
 * directives {@code $patch}, {@code $deleteFromPrimitiveList} and {@code $retainKeys}; {@code
 * $setElementOrder} is taken and has no effect: items keep their order, new ones follow.
 */
final class StrategicMerge {
  private static final String PATCH = "$patch";
  private static final String RETAIN_KEYS = "$retainKeys";
  private static final String ORDER = "$setElementOrder/";
  private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";

  private StrategicMerge() {}

  /** What an object or item asks to be done with it. */
  private enum Directive {
    MERGE,
    REPLACE,
    DELETE
  }

  /**
   * Merges a patch into an object, which it changes.
   *
   * @param path where the patch stands, for refusals: {@code spec.workspaceTemplate}
   * @throws SpecInvalid naming the place in the patch that cannot be merged
   */
  static void merge(ObjectNode target, JsonNode patch, String path) throws SpecInvalid {
    if (patch.isMissingNode() || patch.isNull()) {
      return;
    }
    if (!(patch instanceof ObjectNode object)) {
      throw new SpecInvalid(path, "is " + kind(patch), "give an object");
    }
    object(target, object, path, "");
  }

  /**
   * @param name of the field or list the object stands in
   */
  private static void object(ObjectNode target, ObjectNode patch, String path, String name)
      throws SpecInvalid {
    switch (directive(patch, path)) {
      case DELETE -> {
        target.removeAll();
        return;
      }
      case REPLACE -> target.removeAll();
      case MERGE -> {}
    }
    retain(target, patch, path);
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      String key = field.getKey();
      if (key.startsWith(DELETE_VALUES)) {
        deleteValues(target, key.substring(DELETE_VALUES.length()), field.getValue(), path);
      } else if (key.startsWith("$")) {
        known(key, path);
      } else {
        field(target, key, field.getValue(), path + "." + key, name);
      }
    }
  }

  private static void field(
      ObjectNode target, String key, JsonNode value, String path, String parent)
      throws SpecInvalid {
    JsonNode present = target.path(key);
    if (value.isNull() || directive(value, path) == Directive.DELETE) {
      target.remove(key);
      return;
    }
    sameShape(present, value, path);
    switch (value) {
      case ObjectNode patch -> {
        ObjectNode into = present instanceof ObjectNode object ? object : target.objectNode();
        object(into, patch, path, key);
        target.set(key, into);
      }
      case ArrayNode patch -> {
        ArrayNode into = present instanceof ArrayNode list ? list : target.arrayNode();
        target.set(key, list(into, patch, path, key, parent));
      }
      default -> target.set(key, value);
    }
  }

  /** Something of another shape than what it would be merged into is a slip of the pen. */
  private static void sameShape(JsonNode present, JsonNode value, String path) throws SpecInvalid {
    boolean same = present.isObject() == value.isObject() && present.isArray() == value.isArray();
    if (!same && !present.isMissingNode() && !present.isNull()) {
      throw new SpecInvalid(path, "is " + kind(value), "give " + kind(present));
    }
  }

  private static ArrayNode list(
      ArrayNode present, ArrayNode patch, String path, String name, String parent)
      throws SpecInvalid {
    List<String> keys = MergeKeys.of(name, parent);
    if (!keys.isEmpty()) {
      return keyed(present, patch, path, name, keys);
    }
    if (MergeKeys.isSet(name)) {
      ArrayNode merged = present.deepCopy();
      patch.forEach(value -> addOnce(merged, value));
      return merged;
    }
    return patch.deepCopy();
  }

  private static void addOnce(ArrayNode list, JsonNode value) {
    if (list.valueStream().noneMatch(value::equals)) {
      list.add(value);
    }
  }

  private static ArrayNode keyed(
      ArrayNode present, ArrayNode patch, String path, String name, List<String> keys)
      throws SpecInvalid {
    List<ObjectNode> merged = new ArrayList<>();
    if (patch.valueStream().noneMatch(StrategicMerge::replacesList)) {
      for (JsonNode item : present) {
        if (item instanceof ObjectNode object) {
          merged.add(object);
        }
      }
    }
    for (int i = 0; i < patch.size(); i++) {
      String at = path + "[" + i + "]";
      if (!(patch.get(i) instanceof ObjectNode item)) {
        throw new SpecInvalid(at, "is " + kind(patch.get(i)), "give an object");
      }
      if (!replacesList(item)) {
        item(merged, item, at, name, keys);
      }
    }
    ArrayNode list = present.arrayNode();
    merged.forEach(list::add);
    return list;
  }

  /** An item that holds nothing but the directive speaks of the whole list. */
  private static boolean replacesList(JsonNode item) {
    return item.size() == 1 && item.path(PATCH).asString("").equals("replace");
  }

  private static void item(
      List<ObjectNode> items, ObjectNode patch, String at, String name, List<String> keys)
      throws SpecInvalid {
    List<String> identity = identity(patch, at, keys);
    Optional<ObjectNode> known =
        items.stream().filter(item -> lenientIdentity(item, keys).equals(identity)).findFirst();
    if (directive(patch, at) == Directive.DELETE) {
      known.ifPresent(items::remove);
      return;
    }
    ObjectNode into = known.orElseGet(patch::objectNode);
    object(into, patch, at, name);
    if (known.isEmpty()) {
      items.add(into);
    }
  }

  private static List<String> identity(ObjectNode item, String at, List<String> keys)
      throws SpecInvalid {
    List<String> identity = lenientIdentity(item, keys);
    int missing = identity.indexOf("");
    if (missing >= 0) {
      throw new SpecInvalid(
          at + "." + keys.get(missing),
          "is missing",
          "give it: items of this list are told apart by it");
    }
    return identity;
  }

  private static List<String> lenientIdentity(ObjectNode item, List<String> keys) {
    return keys.stream().map(key -> item.path(key).asString(MergeKeys.defaultOf(key))).toList();
  }

  private static Directive directive(JsonNode patch, String path) throws SpecInvalid {
    if (!patch.isObject() || !patch.has(PATCH)) {
      return Directive.MERGE;
    }
    return switch (patch.path(PATCH).asString("")) {
      case "merge" -> Directive.MERGE;
      case "replace" -> Directive.REPLACE;
      case "delete" -> Directive.DELETE;
      default ->
          throw new SpecInvalid(
              path + "." + PATCH, "is no known directive", "use merge, replace or delete");
    };
  }

  private static void known(String key, String path) throws SpecInvalid {
    if (!Set.of(PATCH, RETAIN_KEYS).contains(key) && !key.startsWith(ORDER)) {
      throw new SpecInvalid(
          path + "." + key,
          "is no known directive",
          "use $patch, $retainKeys, $deleteFromPrimitiveList or $setElementOrder");
    }
  }

  private static void retain(ObjectNode target, ObjectNode patch, String path) throws SpecInvalid {
    if (patch.has(RETAIN_KEYS)) {
      target.retain(texts(patch.path(RETAIN_KEYS), path + "." + RETAIN_KEYS));
    }
  }

  private static List<String> texts(JsonNode list, String path) throws SpecInvalid {
    List<String> texts = new ArrayList<>();
    if (!list.isArray()) {
      throw new SpecInvalid(path, "is " + kind(list), "give a list of field names");
    }
    list.forEach(name -> texts.add(name.asString("")));
    return texts;
  }

  private static void deleteValues(ObjectNode target, String name, JsonNode values, String path)
      throws SpecInvalid {
    if (!(values instanceof ArrayNode doomed)) {
      String at = path + "." + DELETE_VALUES + name;
      throw new SpecInvalid(at, "is " + kind(values), "give the list of values to remove");
    }
    if (target.path(name) instanceof ArrayNode present) {
      present.removeIf(value -> doomed.valueStream().anyMatch(value::equals));
    }
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT, POJO -> "an object";
      case ARRAY -> "a list";
      case STRING, BINARY -> "a text";
      case NUMBER -> "a number";
      case BOOLEAN -> "true or false";
      case NULL, MISSING -> "nothing";
    };
  }
}
