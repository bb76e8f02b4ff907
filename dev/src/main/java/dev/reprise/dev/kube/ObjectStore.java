package dev.reprise.dev.kube;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * All objects by resource and by {@code namespace/name}, one revision counter, and a bounded log of
 * the last changes from which watches resume. Stored objects are never changed in place.
 */
final class ObjectStore {
  private final Map<String, NavigableMap<String, ObjectNode>> objects = new HashMap<>();
  private final Deque<Change> log = new ArrayDeque<>();
  private final List<Consumer<Change>> listeners = new ArrayList<>();
  private final int logSize;
  private long revision = 1;
  private long forgotten;

  ObjectStore(int logSize) {
    this.logSize = logSize;
  }

  long revision() {
    return revision;
  }

  void onChange(Consumer<Change> listener) {
    listeners.add(listener);
  }

  static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  Optional<ObjectNode> get(String resource, String namespace, String name) {
    return Optional.ofNullable(table(resource).get(key(namespace, name)));
  }

  /** All objects of a resource, ordered by namespace and name; "" means every namespace. */
  List<ObjectNode> list(String resource, String namespace) {
    return table(resource).values().stream()
        .filter(object -> namespace.isEmpty() || Meta.namespace(object).equals(namespace))
        .toList();
  }

  /** The resources that have objects. */
  List<String> resources() {
    return objects.keySet().stream().filter(key -> !table(key).isEmpty()).sorted().toList();
  }

  /**
   * Takes over the objects of an earlier process. No watch hears of them; one that resumes from
   * before {@code from} must list again.
   */
  void restore(Map<String, Map<String, ObjectNode>> kept, long from) {
    kept.forEach((resource, all) -> table(resource).putAll(all));
    revision = from;
    forgotten = from;
  }

  /** Stores a new or changed object under the next revision and answers it. */
  ObjectNode put(String resource, ObjectNode object) {
    ObjectNode stored = stamp(object);
    ObjectNode previous =
        table(resource).put(key(Meta.namespace(stored), Meta.name(stored)), stored);
    if (previous == null) {
      publish(new Change(revision, resource, Change.Kind.ADDED, stored, Json.object()));
    } else {
      publish(new Change(revision, resource, Change.Kind.MODIFIED, stored, previous));
    }
    return stored;
  }

  /** Removes an object; its last state gets the next revision, as watchers see it. */
  ObjectNode remove(String resource, ObjectNode object) {
    table(resource).remove(key(Meta.namespace(object), Meta.name(object)));
    ObjectNode last = stamp(object);
    publish(new Change(revision, resource, Change.Kind.DELETED, last, object));
    return last;
  }

  /** Changes after a revision, or 410 when the log no longer reaches back that far. */
  List<Change> since(long from) {
    if (from < forgotten) {
      throw ApiError.expired("too old resource version: %d (%d)".formatted(from, forgotten));
    }
    if (from > revision) {
      throw ApiError.expired(
          "resource version %d is newer than this server's %d".formatted(from, revision));
    }
    return log.stream().filter(change -> change.revision() > from).toList();
  }

  /** Forgets the log, so that every watch that resumes must list again. */
  void compact() {
    log.clear();
    forgotten = revision;
  }

  private ObjectNode stamp(ObjectNode object) {
    ObjectNode stamped = object.deepCopy();
    revision++;
    Json.child(stamped, "metadata").put("resourceVersion", Long.toString(revision));
    return stamped;
  }

  private void publish(Change change) {
    log.addLast(change);
    while (log.size() > logSize) {
      forgotten = log.removeFirst().revision();
    }
    List.copyOf(listeners).forEach(listener -> listener.accept(change));
  }

  private NavigableMap<String, ObjectNode> table(String resource) {
    return objects.computeIfAbsent(resource, key -> new TreeMap<>());
  }
}
