package dev.reprise.activities.kube;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;

/** What reading one Stack by its name and uid brought. */
public sealed interface StackLookup {

  /** It is there. */
  record Found(GenericKubernetesResource resource) implements StackLookup {}

  /** Verifiably gone: another uid under its name, or a 404 that names this very object. */
  record Gone() implements StackLookup {}

  /**
   * It cannot be told.
   *
   * @param detail why, and the fix
   */
  record Unreadable(String detail) implements StackLookup {}
}
