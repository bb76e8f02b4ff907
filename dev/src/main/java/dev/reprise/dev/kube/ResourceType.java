package dev.reprise.dev.kube;

import java.util.List;

/**
 * One kind of object in one version.
 *
 * @param group "" for the core group
 * @param status whether {@code /status} exists, which keeps status out of every other write
 * @param custom whether a CRD declares it
 * @param structure what is known about its fields
 */
record ResourceType(
    String group,
    String version,
    String kind,
    String plural,
    List<String> shortNames,
    boolean namespaced,
    boolean status,
    boolean custom,
    Structure structure) {

  String groupVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The name in messages and the key in the store: the same for all versions. */
  String groupResource() {
    return group.isEmpty() ? plural : plural + "." + group;
  }

  /** Real servers count generations where a spec is acted on; Secrets and the like have none. */
  boolean countsGenerations() {
    return custom || group.equals("apps") || group.equals("apiextensions.k8s.io");
  }
}
