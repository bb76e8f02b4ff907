package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.function.Consumer;

/** Lists the Stacks with a read of its own, past every cache of this process. */
@FunctionalInterface
interface StackLister {
  /**
   * Calls back for every Stack, page by page.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when a page cannot be read; some
   *     Stacks may have been handed over by then
   */
  void forEach(Consumer<GenericKubernetesResource> each);
}
