package dev.reprise.activities.kube;

import dev.reprise.workflows.activity.StackRef;

/** Reads one Stack. */
@FunctionalInterface
public interface StackLookups {
  /**
   * A quorum read, never from a cache.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException for a failure that passes
   */
  StackLookup get(StackRef stack);
}
