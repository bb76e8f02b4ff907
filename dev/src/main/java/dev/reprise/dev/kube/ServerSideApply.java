package dev.reprise.dev.kube;

import dev.reprise.dev.kube.ManagedFields.Writer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merges an applied configuration into the live object. Each leaf has owners; what a manager no
 * longer applies goes away unless somebody else owns it; a leaf that another manager owns with
 * another value is a conflict unless forced.
 */
final class ServerSideApply {
  private static final Set<String> IDENTITY = Set.of("apiVersion", "kind");
  private static final Set<String> SYSTEM_METADATA =
      Set.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "managedFields",
          "generateName",
          "deletionTimestamp");

  private final ResourceType type;
  private final Writer writer;
  private final boolean force;

  ServerSideApply(ResourceType type, Writer writer, boolean force) {
    this.type = type;
    this.writer = writer;
    this.force = force;
  }

  /**
   * Answers the merged object with its new {@code managedFields}.
   *
   * @param live the stored object, or an empty object when there is none yet
   */
  ObjectNode apply(ObjectNode live, ObjectNode applied) {
    rejectUndeclared(applied, type.structure(), new ArrayList<>(), Meta.name(applied));
    ObjectNode config = ownable(applied);
    Set<List<String>> wanted = FieldPaths.leaves(config, type.structure());
    wanted.remove(List.<String>of());
    ManagedFields managed = ManagedFields.of(live);
    Set<List<String>> before = managed.ownedBy(writer);
    Set<List<String>> contested = contested(live, config, wanted, managed);

    ObjectNode merged = live.deepCopy();
    merge(merged, config, type.structure());
    for (List<String> path : before) {
      if (!wanted.contains(path) && !covers(wanted, path) && !managed.heldByOthers(writer, path)) {
        FieldPaths.remove(merged, path, wanted);
      }
    }
    managed.takeFromOthers(writer, contested);
    managed.set(writer, wanted);
    managed.writeTo(merged, type.groupVersion());
    return merged;
  }

  private Set<List<String>> contested(
      ObjectNode live, ObjectNode config, Set<List<String>> wanted, ManagedFields managed) {
    Set<List<String>> contested = new LinkedHashSet<>();
    List<ApiError.Cause> causes = new ArrayList<>();
    for (List<String> path : wanted) {
      Optional<Writer> owner = managed.otherOwner(writer, path);
      if (owner.isPresent()
          && !path.getLast().equals(FieldPaths.SELF)
          && !FieldPaths.valueAt(live, path).equals(FieldPaths.valueAt(config, path))) {
        contested.add(path);
        causes.add(
            new ApiError.Cause(
                "FieldManagerConflict",
                FieldPaths.display(path),
                "conflict with \"" + owner.get().manager() + "\""));
      }
    }
    if (!force && !causes.isEmpty()) {
      throw ApiError.applyConflict(causes);
    }
    return contested;
  }

  /** Whether a wanted leaf lies below {@code path}, which then has only changed its shape. */
  private static boolean covers(Set<List<String>> wanted, List<String> path) {
    return wanted.stream()
        .anyMatch(w -> w.size() > path.size() && w.subList(0, path.size()).equals(path));
  }

  /** The part of the configuration that can have an owner through this endpoint. */
  private ObjectNode ownable(ObjectNode applied) {
    ObjectNode config = applied.deepCopy();
    config.remove(IDENTITY);
    if (writer.subresource().equals("status")) {
      config.retain("status");
      return config;
    }
    if (type.status()) {
      config.remove("status");
    }
    if (config.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove(SYSTEM_METADATA);
      if (metadata.isEmpty()) {
        config.remove("metadata");
      }
    }
    return config;
  }

  private static void merge(ObjectNode target, ObjectNode config, Structure structure) {
    config.forEachEntry(
        (name, value) -> {
          JsonNode old = target.path(name);
          Structure below = structure.field(name);
          if (value instanceof ObjectNode object
              && old instanceof ObjectNode into
              && !below.isAtomic()) {
            merge(into, object, below);
          } else if (value instanceof ArrayNode list && old instanceof ArrayNode into) {
            mergeList(into, list, below);
          } else {
            target.set(name, value.deepCopy());
          }
        });
  }

  private static void mergeList(ArrayNode target, ArrayNode config, Structure structure) {
    boolean map = !structure.listKeys().isEmpty();
    if (!map && !structure.isSet()) {
      target.removeAll();
      config.forEach(item -> target.add(item.deepCopy()));
      return;
    }
    for (JsonNode item : config) {
      String step = map ? FieldPaths.keyOf(item, structure.listKeys()) : "v:" + Json.write(item);
      int index = FieldPaths.indexOf(target, step);
      if (index < 0) {
        target.add(item.deepCopy());
      } else if (target.get(index) instanceof ObjectNode into && item instanceof ObjectNode from) {
        merge(into, from, structure.items());
      }
    }
  }

  /** A real server answers 500 here, not 422 (seen on 1.33). */
  private void rejectUndeclared(
      JsonNode node, Structure structure, List<String> path, String name) {
    node.forEachEntry(
        (field, value) -> {
          List<String> below = new ArrayList<>(path);
          below.add("f:" + field);
          if (structure.forbids(field)) {
            throw ApiError.of(
                500,
                "InternalError",
                "failed to create typed patch object (%s; %s, Kind=%s): %s: field not declared in schema"
                    .formatted(name, type.groupVersion(), type.kind(), FieldPaths.display(below)));
          }
          rejectUndeclared(value, structure.field(field), below, name);
        });
    if (node.isArray()) {
      node.forEach(item -> rejectUndeclared(item, structure.items(), path, name));
    }
  }
}
