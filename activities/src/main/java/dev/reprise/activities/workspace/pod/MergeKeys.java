package dev.reprise.activities.workspace.pod;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * By which fields the items of Kubernetes' lists are told apart when a template is merged into
 * them. A list that is not named here is replaced as one value, as in the core types.
 */
final class MergeKeys {
  private static final String NAME = "name";

  /** By the name of the list; within pods, containers and the virtual Workspace it is enough. */
  private static final Map<String, List<String>> KEYS =
      Map.ofEntries(
          Map.entry("containers", List.of(NAME)),
          Map.entry("initContainers", List.of(NAME)),
          Map.entry("ephemeralContainers", List.of(NAME)),
          Map.entry("volumes", List.of(NAME)),
          Map.entry("env", List.of(NAME)),
          Map.entry("imagePullSecrets", List.of(NAME)),
          Map.entry("resourceClaims", List.of(NAME)),
          Map.entry("schedulingGates", List.of(NAME)),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("volumeDevices", List.of("devicePath")),
          Map.entry("hostAliases", List.of("ip")),
          Map.entry("topologySpreadConstraints", List.of("topologyKey", "whenUnsatisfiable")),
          Map.entry("ownerReferences", List.of("uid")));

  /** A container's ports; what is left out of a key has its default. */
  private static final List<String> CONTAINER_PORT = List.of("containerPort", "protocol");

  private static final List<String> SERVICE_PORT = List.of("port", "protocol");
  private static final Map<String, String> DEFAULTS = Map.of("protocol", "TCP");
  private static final Set<String> CONTAINER_LISTS =
      Set.of("containers", "initContainers", "ephemeralContainers");

  private MergeKeys() {}

  /**
   * The keys of a list's items.
   *
   * @param list the list's name
   * @param parent the name of the list or object that holds it; "" = the document
   * @return empty for a list that is one value
   */
  static List<String> of(String list, String parent) {
    if (list.equals("ports")) {
      return CONTAINER_LISTS.contains(parent) ? CONTAINER_PORT : SERVICE_PORT;
    }
    // Parts of objects of the same name elsewhere are values: resources.claims, configMap.items.
    return KEYS.getOrDefault(list, List.of());
  }

  /** Lists of plain values that are merged by value. */
  static boolean isSet(String list) {
    return list.equals("finalizers");
  }

  /** The value a key field has when it is left out; "" = it must be given. */
  static String defaultOf(String key) {
    return DEFAULTS.getOrDefault(key, "");
  }
}
