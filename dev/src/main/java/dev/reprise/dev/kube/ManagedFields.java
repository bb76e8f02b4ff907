package dev.reprise.dev.kube;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who owns which leaf of an object: the content of {@code metadata.managedFields}. */
final class ManagedFields {
  /** Who writes, how ("Apply" or "Update") and through which subresource ("" for none). */
  record Writer(String manager, String operation, String subresource) {}

  private record Entry(Writer writer, String time, Set<List<String>> paths) {}

  private final List<Entry> entries = new ArrayList<>();

  static ManagedFields of(JsonNode object) {
    ManagedFields fields = new ManagedFields();
    for (JsonNode entry : object.path("metadata").path("managedFields")) {
      Writer writer =
          new Writer(
              Json.text(entry, "manager"),
              Json.text(entry, "operation"),
              Json.text(entry, "subresource"));
      fields.entries.add(
          new Entry(writer, Json.text(entry, "time"), FieldPaths.fromTree(entry.path("fieldsV1"))));
    }
    return fields;
  }

  /** Whoever writes an object may also say who manages it; nothing said changes nothing. */
  static JsonNode told(JsonNode wanted, JsonNode live) {
    return wanted.path("metadata").path("managedFields").isEmpty() ? live : wanted;
  }

  Set<List<String>> ownedBy(Writer writer) {
    return entries.stream()
        .filter(entry -> entry.writer().equals(writer))
        .findFirst()
        .map(Entry::paths)
        .orElseGet(Set::of);
  }

  /** Another writer that owns exactly this path. */
  Optional<Writer> otherOwner(Writer writer, List<String> path) {
    return entries.stream()
        .filter(entry -> !entry.writer().equals(writer) && entry.paths().contains(path))
        .map(Entry::writer)
        .findFirst();
  }

  /** Whether another writer owns this path or anything below it. */
  boolean heldByOthers(Writer writer, List<String> path) {
    List<String> top =
        path.getLast().equals(FieldPaths.SELF) ? path.subList(0, path.size() - 1) : path;
    return entries.stream()
        .filter(entry -> !entry.writer().equals(writer))
        .flatMap(entry -> entry.paths().stream())
        .anyMatch(p -> p.size() >= top.size() && p.subList(0, top.size()).equals(top));
  }

  /** After this the writer owns exactly {@code paths}. */
  void set(Writer writer, Set<List<String>> paths) {
    if (ownedBy(writer).equals(paths)) {
      return;
    }
    entries.removeIf(entry -> entry.writer().equals(writer));
    if (!paths.isEmpty()) {
      String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      entries.add(new Entry(writer, now, paths));
    }
  }

  /** Nobody but the writer owns these paths any more. */
  void takeFromOthers(Writer writer, Set<List<String>> paths) {
    forget(paths, writer);
  }

  /** Records what a create, replace or patch has changed. */
  void recordUpdate(
      Writer writer, Set<List<String>> changed, Set<List<String>> present, String subresource) {
    Set<List<String>> owned = new LinkedHashSet<>(ownedBy(writer));
    owned.addAll(changed);
    set(writer, owned);
    takeFromOthers(writer, changed);
    Set<List<String>> gone = new LinkedHashSet<>();
    for (Entry entry : entries) {
      entry.paths().stream()
          .filter(path -> path.getFirst().equals("f:status") == subresource.equals("status"))
          .filter(path -> !present.contains(path))
          .forEach(gone::add);
    }
    forget(gone, new Writer("", "", ""));
  }

  private void forget(Set<List<String>> paths, Writer except) {
    for (Entry entry : List.copyOf(entries)) {
      if (!entry.writer().equals(except)) {
        Set<List<String>> left = new LinkedHashSet<>(entry.paths());
        if (left.removeAll(paths)) {
          entries.set(entries.indexOf(entry), new Entry(entry.writer(), entry.time(), left));
        }
      }
    }
    entries.removeIf(entry -> entry.paths().isEmpty());
  }

  void writeTo(ObjectNode object, String apiVersion) {
    ObjectNode metadata = Json.child(object, "metadata");
    metadata.remove("managedFields");
    if (entries.isEmpty()) {
      return;
    }
    var list = metadata.putArray("managedFields");
    for (Entry entry : entries) {
      ObjectNode node =
          list.addObject()
              .put("apiVersion", apiVersion)
              .put("fieldsType", "FieldsV1")
              .put("manager", entry.writer().manager())
              .put("operation", entry.writer().operation())
              .put("time", entry.time());
      node.set("fieldsV1", FieldPaths.toTree(entry.paths()));
      if (!entry.writer().subresource().isEmpty()) {
        node.put("subresource", entry.writer().subresource());
      }
    }
  }
}
