package dev.reprise.dev.kube;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The documents by which clients find out what the server has. */
final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  /** Stable before beta before alpha, and within these the later one first. */
  private static final Comparator<String> BEST_FIRST =
      Comparator.<String>comparingInt(
              version -> version.contains("alpha") ? 2 : version.contains("beta") ? 1 : 0)
          .thenComparing(Comparator.reverseOrder());

  private final ResourceRegistry registry;

  Discovery(ResourceRegistry registry) {
    this.registry = registry;
  }

  /** Answers the document at a path, if the path is one of discovery. */
  Optional<ObjectNode> answer(String path) {
    List<String> parts = List.of(path.replaceAll("^/+|/+$", "").split("/", -1));
    return switch (parts.getFirst()) {
      case "version" -> Optional.of(version());
      case "healthz", "readyz", "livez" -> Optional.of(Json.object().put("status", "ok"));
      case "api" ->
          switch (parts.size()) {
            case 1 -> Optional.of(coreVersions());
            case 2 -> resources("", parts.get(1));
            default -> Optional.empty();
          };
      case "apis" ->
          switch (parts.size()) {
            case 1 -> Optional.of(groups());
            case 2 -> group(parts.get(1));
            case 3 -> resources(parts.get(1), parts.get(2));
            default -> Optional.empty();
          };
      default -> Optional.empty();
    };
  }

  private static ObjectNode version() {
    return Json.object()
        .put("major", "1")
        .put("minor", "33")
        .put("gitVersion", "v1.33.0-reprise-dev")
        .put("platform", "embedded");
  }

  private static ObjectNode coreVersions() {
    ObjectNode versions = Json.object().put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    return versions;
  }

  private SortedMap<String, SortedSet<String>> versionsByGroup() {
    SortedMap<String, SortedSet<String>> versions = new TreeMap<>();
    registry.all().stream()
        .filter(type -> !type.group().isEmpty())
        .forEach(
            type ->
                versions
                    .computeIfAbsent(type.group(), g -> new TreeSet<>(BEST_FIRST))
                    .add(type.version()));
    return versions;
  }

  private ObjectNode groups() {
    ObjectNode list = Json.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    versionsByGroup().forEach((group, versions) -> groups.add(describe(group, versions)));
    return list;
  }

  private Optional<ObjectNode> group(String name) {
    return Optional.ofNullable(versionsByGroup().get(name))
        .map(versions -> describe(name, versions).put("kind", "APIGroup").put("apiVersion", "v1"));
  }

  private static ObjectNode describe(String group, SortedSet<String> versions) {
    ObjectNode description = Json.object().put("name", group);
    ArrayNode list = description.putArray("versions");
    for (String version : versions) {
      list.add(groupVersion(group, version));
    }
    description.set("preferredVersion", groupVersion(group, versions.first()));
    return description;
  }

  private static ObjectNode groupVersion(String group, String version) {
    return Json.object().put("groupVersion", group + "/" + version).put("version", version);
  }

  private Optional<ObjectNode> resources(String group, String version) {
    List<ResourceType> types =
        registry.all().stream()
            .filter(type -> type.group().equals(group) && type.version().equals(version))
            .toList();
    if (types.isEmpty()) {
      return Optional.empty();
    }
    ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
    list.put("groupVersion", types.getFirst().groupVersion());
    ArrayNode resources = list.putArray("resources");
    for (ResourceType type : types) {
      ObjectNode resource = resource(type, type.plural());
      VERBS.forEach(resource.putArray("verbs")::add);
      if (!type.shortNames().isEmpty()) {
        type.shortNames().forEach(resource.putArray("shortNames")::add);
      }
      resources.add(resource);
      if (type.status()) {
        ObjectNode status = resource(type, type.plural() + "/status");
        List.of("get", "patch", "update").forEach(status.putArray("verbs")::add);
        resources.add(status);
      }
    }
    return Optional.of(list);
  }

  private static ObjectNode resource(ResourceType type, String name) {
    return Json.object()
        .put("name", name)
        .put("singularName", name.contains("/") ? "" : type.kind().toLowerCase(Locale.ROOT))
        .put("namespaced", type.namespaced())
        .put("kind", type.kind());
  }
}
