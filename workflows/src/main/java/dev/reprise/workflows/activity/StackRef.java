package dev.reprise.workflows.activity;

/**
 * Which Stack. The uid makes a Stack that was deleted and created again another one.
 *
 * @param namespace {@code metadata.namespace}
 * @param name {@code metadata.name}
 * @param uid {@code metadata.uid}
 */
public record StackRef(String namespace, String name, String uid) {
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
