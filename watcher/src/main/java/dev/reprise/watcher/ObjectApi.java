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
 * The objects of one kind on the API server, as generic resources: with typed ones a single object
 * that does not deserialize breaks the whole list.
 */
final class ObjectApi implements ObjectLister {
  /** Stacks, the kind all others are watched for. */
  static final ResourceDefinitionContext STACKS =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Stack")
          .withPlural("stacks")
          .withNamespaced(true)
          .build();

  private static final long PAGE = 500;

  private final KubernetesClient client;
  private final ResourceDefinitionContext kind;
  private final String namespace;

  /**
   * Makes the view of one namespace or of all.
   *
   * @param namespace "" = all
   */
  ObjectApi(KubernetesClient client, ResourceDefinitionContext kind, String namespace) {
    this.client = client;
    this.kind = kind;
    this.namespace = namespace;
  }

  /** What is watched, as RBAC rules and messages name it: {@code stacks.pulumi.com}. */
  String resource() {
    String group = kind.getGroup();
    return group == null || group.isEmpty() ? kind.getPlural() : kind.getPlural() + "." + group;
  }

  /** An informer that is not started; without a resync of its own, as {@link Resync} lists. */
  SharedIndexInformer<GenericKubernetesResource> informer() {
    return objects().withLimit(PAGE).runnableInformer(0);
  }

  /**
   * Reads as little as possible.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the objects cannot be read
   */
  void probe() {
    objects().list(new ListOptionsBuilder().withLimit(1L).build());
  }

  @Override
  public void forEach(Consumer<GenericKubernetesResource> each) {
    String next = "";
    do {
      GenericKubernetesResourceList page = objects().list(page(next));
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
      objects() {
    return namespace.isEmpty()
        ? client.genericKubernetesResources(kind).inAnyNamespace()
        : client.genericKubernetesResources(kind).inNamespace(namespace);
  }
}
