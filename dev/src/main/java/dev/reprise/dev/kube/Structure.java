package dev.reprise.dev.kube;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * How the fields below one point of an object merge under server-side apply, by the rules of {@code
 * x-kubernetes-list-type} and {@code x-kubernetes-map-type}.
 */
sealed interface Structure {
  Structure field(String name);

  Structure items();

  /** The keys that identify an item of this list; empty when the list is not a map. */
  List<String> listKeys();

  /** Whether this list holds each value once, each with an owner of its own. */
  boolean isSet();

  /** Whether this object is replaced as one value. */
  boolean isAtomic();

  /** Whether a schema says that the field is not there. */
  boolean forbids(String name);

  /** Fields of the kinds that come with Kubernetes, recognised by name. */
  record Builtin(String name) implements Structure {
    private static final Map<String, List<String>> KEYS =
        Map.ofEntries(
            Map.entry("ownerReferences", List.of("uid")),
            Map.entry("conditions", List.of("type")),
            Map.entry("containers", List.of("name")),
            Map.entry("initContainers", List.of("name")),
            Map.entry("volumes", List.of("name")),
            Map.entry("env", List.of("name")),
            Map.entry("imagePullSecrets", List.of("name")),
            Map.entry("volumeMounts", List.of("mountPath")));

    @Override
    public Structure field(String field) {
      return new Builtin(field);
    }

    @Override
    public Structure items() {
      return new Builtin("");
    }

    @Override
    public List<String> listKeys() {
      return KEYS.getOrDefault(name, List.of());
    }

    @Override
    public boolean isSet() {
      return name.equals("finalizers");
    }

    @Override
    public boolean isAtomic() {
      return name.equals("selector");
    }

    @Override
    public boolean forbids(String field) {
      return false;
    }
  }

  /** A node of a CRD's structural schema. A missing node means "nothing is known". */
  record Schema(JsonNode node) implements Structure {
    /** The schema of a whole custom resource; its metadata follows the built-in rules. */
    record Root(Schema schema) implements Structure {
      @Override
      public Structure field(String name) {
        return name.equals("metadata") ? new Builtin("metadata") : schema.field(name);
      }

      @Override
      public Structure items() {
        return schema.items();
      }

      @Override
      public List<String> listKeys() {
        return List.of();
      }

      @Override
      public boolean isSet() {
        return false;
      }

      @Override
      public boolean isAtomic() {
        return false;
      }

      @Override
      public boolean forbids(String name) {
        return !List.of("apiVersion", "kind", "metadata").contains(name) && schema.forbids(name);
      }
    }

    @Override
    public Schema field(String name) {
      JsonNode declared = node.path("properties").path(name);
      return new Schema(declared.isMissingNode() ? additional() : declared);
    }

    private JsonNode additional() {
      JsonNode additional = node.path("additionalProperties");
      return additional.isObject() ? additional : MissingNode.getInstance();
    }

    @Override
    public Schema items() {
      return new Schema(node.path("items"));
    }

    @Override
    public List<String> listKeys() {
      return Json.text(node, "x-kubernetes-list-type").equals("map")
          ? node.path("x-kubernetes-list-map-keys").valueStream().map(JsonNode::asString).toList()
          : List.of();
    }

    @Override
    public boolean isSet() {
      return Json.text(node, "x-kubernetes-list-type").equals("set");
    }

    @Override
    public boolean isAtomic() {
      return Json.text(node, "x-kubernetes-map-type").equals("atomic");
    }

    @Override
    public boolean forbids(String name) {
      return !node.isMissingNode()
          && !preservesUnknown()
          && !node.path("properties").has(name)
          && !openEnded();
    }

    boolean preservesUnknown() {
      return node.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
    }

    private boolean openEnded() {
      JsonNode additional = node.path("additionalProperties");
      return additional.isObject() || additional.asBoolean(false);
    }
  }
}
