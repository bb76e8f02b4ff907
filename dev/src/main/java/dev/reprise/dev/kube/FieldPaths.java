package dev.reprise.dev.kube;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Paths to the leaves of an object, in the notation of {@code fieldsV1}: {@code f:name} is a field,
 * {@code k:{…}} the item of a list with that key, {@code v:…} a value of a set, {@code .} the item
 * itself.
 */
final class FieldPaths {
  static final String SELF = ".";

  private FieldPaths() {}

  /** Every path that has a value of its own in {@code object}. */
  static Set<List<String>> leaves(ObjectNode object, Structure structure) {
    Set<List<String>> found = new LinkedHashSet<>();
    collect(object, structure, List.of(), found);
    return found;
  }

  private static void collect(
      JsonNode node, Structure structure, List<String> path, Set<List<String>> found) {
    if (node instanceof ObjectNode object && !object.isEmpty() && !structure.isAtomic()) {
      object.forEachEntry(
          (name, value) -> collect(value, structure.field(name), plus(path, "f:" + name), found));
    } else if (node instanceof ArrayNode list && !structure.listKeys().isEmpty()) {
      for (JsonNode item : list) {
        List<String> itemPath = plus(path, keyOf(item, structure.listKeys()));
        found.add(plus(itemPath, SELF));
        collect(item, structure.items(), itemPath, found);
      }
    } else if (node instanceof ArrayNode list && structure.isSet()) {
      list.forEach(item -> found.add(plus(path, "v:" + Json.write(item))));
    } else {
      found.add(path);
    }
  }

  static String keyOf(JsonNode item, List<String> keys) {
    ObjectNode key = Json.object();
    for (String name : keys) {
      if (item.has(name)) {
        key.set(name, item.path(name));
      }
    }
    return "k:" + Json.write(key);
  }

  /** The value at a path, if there is one. A set's value and an item's {@code .} are themselves. */
  static Optional<JsonNode> valueAt(JsonNode root, List<String> path) {
    JsonNode current = root;
    for (String step : path) {
      if (step.equals(SELF)) {
        return Optional.of(current);
      }
      if (step.startsWith("f:")) {
        current = current.path(step.substring(2));
      } else {
        int index = indexOf(current, step);
        if (index < 0) {
          return Optional.empty();
        }
        current = current.path(index);
      }
      if (current.isMissingNode()) {
        return Optional.empty();
      }
    }
    return Optional.of(current);
  }

  /** Removes what is at a path, and the objects and lists that are empty without it. */
  static void remove(JsonNode root, List<String> path, Set<List<String>> keep) {
    List<String> target = path.getLast().equals(SELF) ? path.subList(0, path.size() - 1) : path;
    Optional<JsonNode> parent = valueAt(root, target.subList(0, target.size() - 1));
    if (parent.isEmpty()) {
      return;
    }
    String step = target.getLast();
    if (parent.get() instanceof ObjectNode object) {
      object.remove(step.substring(2));
    } else if (parent.get() instanceof ArrayNode list) {
      int index = indexOf(list, step);
      if (index >= 0) {
        list.remove(index);
      }
    }
    List<String> above = target.subList(0, target.size() - 1);
    if (above.size() > 1 && parent.get().isEmpty() && !keep.contains(above)) {
      remove(root, above, keep);
    }
  }

  static int indexOf(JsonNode list, String step) {
    JsonNode wanted = Json.parseKey(step.substring(2));
    for (int i = 0; i < list.size(); i++) {
      JsonNode item = list.path(i);
      boolean same =
          step.startsWith("v:")
              ? item.equals(wanted)
              : wanted.propertyStream().allMatch(e -> item.path(e.getKey()).equals(e.getValue()));
      if (same) {
        return i;
      }
    }
    return -1;
  }

  /** The nested form of {@code fieldsV1}. */
  static ObjectNode toTree(Set<List<String>> paths) {
    ObjectNode tree = Json.object();
    for (List<String> path : paths) {
      ObjectNode node = tree;
      for (String step : path) {
        node = Json.child(node, step);
      }
    }
    return tree;
  }

  static Set<List<String>> fromTree(JsonNode tree) {
    Set<List<String>> paths = new LinkedHashSet<>();
    tree.forEachEntry((step, below) -> readTree(below, List.of(step), paths));
    return paths;
  }

  private static void readTree(JsonNode tree, List<String> path, Set<List<String>> paths) {
    if (tree.isEmpty()) {
      paths.add(path);
    }
    tree.forEachEntry((step, below) -> readTree(below, plus(path, step), paths));
  }

  /** A path as error messages show it, such as {@code .spec.stack}. */
  static String display(List<String> path) {
    StringBuilder text = new StringBuilder();
    for (String step : path) {
      if (step.startsWith("f:")) {
        text.append('.').append(step.substring(2));
      } else if (!step.equals(SELF)) {
        text.append('[').append(step.substring(2)).append(']');
      }
    }
    return text.toString();
  }

  private static List<String> plus(List<String> path, String step) {
    List<String> longer = new ArrayList<>(path);
    longer.add(step);
    return List.copyOf(longer);
  }
}
