package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Stacks of the API server, as generic resources: with typed ones a single object that does not
 * deserialize breaks the whole list.
 */
final class StackApi implements StackLister {
  private static final ResourceDefinitionContext STACKS =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Stack")
          .withPlural("stacks")
          .withNamespaced(true)
          .build();
  private static final long PAGE = 500;

  private final KubernetesClient client;
  private final String namespace;

  /**
   * Makes the view of one namespace or of all.
   *
   * @param namespace "" = all
   */
  StackApi(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** An informer that is not started; without a resync of its own, as {@link Resync} lists. */
  SharedIndexInformer<GenericKubernetesResource> informer() {
    return stacks().withLimit(PAGE).runnableInformer(0);
  }

  /**
   * Reads as little as possible.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when Stacks cannot be read
   */
  void probe() {
    stacks().list(new ListOptionsBuilder().withLimit(1L).build());
  }

  @Override
  public void forEach(Consumer<GenericKubernetesResource> each) {
    String next = "";
    do {
      GenericKubernetesResourceList page = stacks().list(page(next));
      page.getItems().forEach(each);
      next = text(page.getMetadata().getContinue());
    } while (!next.isEmpty());
  }

  private static ListOptions page(String next) {
    ListOptionsBuilder page = new ListOptionsBuilder().withLimit(PAGE);
    return next.isEmpty() ? page.build() : page.withContinue(next).build();
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private FilterWatchListDeletable<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      stacks() {
    return namespace.isEmpty()
        ? client.genericKubernetesResources(STACKS).inAnyNamespace()
        : client.genericKubernetesResources(STACKS).inNamespace(namespace);
  }
}
