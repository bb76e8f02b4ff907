package dev.reprise.cli;

import dev.reprise.stack.StackReader;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The Stacks of a cluster. */
final class StackList {
  static final ResourceDefinitionContext TYPE =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Stack")
          .withPlural("stacks")
          .withNamespaced(true)
          .build();

  private final KubernetesClient client;

  StackList(KubernetesClient client) {
    this.client = client;
  }

  List<StackRow> rows() {
    return all().stream().map(StackRow::of).sorted(Comparator.comparing(StackRow::name)).toList();
  }

  List<StackRef> refs() {
    return all().stream()
        .map(StackReader::identity)
        .map(stack -> new StackRef(stack.namespace(), stack.name(), stack.uid()))
        .toList();
  }

  private List<GenericKubernetesResource> all() {
    try {
      return client.genericKubernetesResources(TYPE).inAnyNamespace().list().getItems();
    } catch (KubernetesClientException e) {
      throw new UserProblem("the Stacks cannot be listed: " + e.getMessage(), e);
    }
  }

  List<StackRow> rows(String namespace) {
    return rows().stream().filter(row -> row.name().startsWith(namespace + "/")).toList();
  }

  Optional<GenericKubernetesResource> find(String namespace, String name) {
    try {
      return Optional.ofNullable(
          client.genericKubernetesResources(TYPE).inNamespace(namespace).withName(name).get());
    } catch (KubernetesClientException e) {
      throw new UserProblem(
          "Stack %s/%s cannot be read: %s".formatted(namespace, name, e.getMessage()), e);
    }
  }
}
