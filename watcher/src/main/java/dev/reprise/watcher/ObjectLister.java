package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.function.Consumer;

/** Lists the objects of a kind with a read of its own, past every cache of this process. */
@FunctionalInterface
interface ObjectLister {
  /**
   * Calls back for every object, page by page.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when a page cannot be read; some
   *     may have been handed over by then
   */
  void forEach(Consumer<GenericKubernetesResource> each);
}
