package dev.reprise.dev.kube;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The kinds this server knows: some of Kubernetes' own, and every CRD that was created. */
final class ResourceRegistry {
  static final String CRDS = "customresourcedefinitions.apiextensions.k8s.io";

  private final List<ResourceType> builtins = new ArrayList<>();
  private final Map<String, List<ResourceType>> custom = new LinkedHashMap<>();

  ResourceRegistry() {
    builtin("", "v1", "Namespace", "namespaces", false, true, "ns");
    builtin("", "v1", "Secret", "secrets", true, false);
    builtin("", "v1", "ConfigMap", "configmaps", true, false, "cm");
    builtin("", "v1", "Event", "events", true, false, "ev");
    builtin("", "v1", "Pod", "pods", true, true, "po");
    builtin("", "v1", "Service", "services", true, true, "svc");
    builtin("", "v1", "ServiceAccount", "serviceaccounts", true, false, "sa");
    builtin("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", true, true, "pvc");
    builtin("apps", "v1", "StatefulSet", "statefulsets", true, true, "sts");
    builtin("apps", "v1", "Deployment", "deployments", true, true, "deploy");
    builtin("coordination.k8s.io", "v1", "Lease", "leases", true, false);
    builtin("events.k8s.io", "v1", "Event", "events", true, false, "ev");
    builtin("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", true, false, "netpol");
    builtin("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true, true, "pdb");
    builtin("rbac.authorization.k8s.io", "v1", "Role", "roles", true, false);
    builtin("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", true, false);
    builtin("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", false, false);
    builtin(
        "rbac.authorization.k8s.io",
        "v1",
        "ClusterRoleBinding",
        "clusterrolebindings",
        false,
        false);
    builtin(
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinition",
        "customresourcedefinitions",
        false,
        true,
        "crd",
        "crds");
  }

  private void builtin(
      String group,
      String version,
      String kind,
      String plural,
      boolean namespaced,
      boolean status,
      String... shortNames) {
    builtins.add(
        new ResourceType(
            group,
            version,
            kind,
            plural,
            List.of(shortNames),
            namespaced,
            status,
            false,
            new Structure.Builtin("")));
  }

  List<ResourceType> all() {
    List<ResourceType> all = new ArrayList<>(builtins);
    custom.values().forEach(all::addAll);
    return all;
  }

  Optional<ResourceType> find(String group, String version, String plural) {
    return all().stream()
        .filter(t -> t.group().equals(group) && t.plural().equals(plural))
        .filter(t -> t.version().equals(version))
        .findFirst();
  }

  /** Any version of a resource that is stored under this name. */
  Optional<ResourceType> byResource(String groupResource) {
    return all().stream().filter(t -> t.groupResource().equals(groupResource)).findFirst();
  }

  /** Follows the CRDs in the store. */
  void onChange(Change change) {
    if (!change.resource().equals(CRDS)) {
      return;
    }
    switch (change.kind()) {
      case DELETED -> custom.remove(Meta.name(change.object()));
      case ADDED, MODIFIED -> define(change.object());
    }
  }

  /** Serves what a CRD declares. */
  void define(JsonNode crd) {
    custom.put(Meta.name(crd), typesOf(crd));
  }

  private static List<ResourceType> typesOf(JsonNode crd) {
    JsonNode spec = crd.path("spec");
    JsonNode names = spec.path("names");
    List<ResourceType> types = new ArrayList<>();
    for (JsonNode version : spec.path("versions")) {
      if (version.path("served").asBoolean(false)) {
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        types.add(
            new ResourceType(
                Json.text(spec, "group"),
                Json.text(version, "name"),
                Json.text(names, "kind"),
                Json.text(names, "plural"),
                names.path("shortNames").valueStream().map(JsonNode::asString).toList(),
                Json.text(spec, "scope").equals("Namespaced"),
                version.path("subresources").has("status"),
                true,
                new Structure.Schema.Root(new Structure.Schema(schema))));
      }
    }
    return List.copyOf(types);
  }
}
