package dev.reprise.stack;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Stacks for tests, written the way users write them. */
final class Stacks {
  private Stacks() {}

  static GenericKubernetesResource parse(String yaml) {
    return new KubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
  }

  /**
   * A Stack named web in namespace apps with the given lines below {@code spec}, each behind two
   * spaces.
   */
  static GenericKubernetesResource withSpec(String spec) {
    return parse(
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata: {namespace: apps, name: web, uid: u-1, generation: 7, resourceVersion: "42"}
        spec:
        """
            + spec.indent(2));
  }
}
