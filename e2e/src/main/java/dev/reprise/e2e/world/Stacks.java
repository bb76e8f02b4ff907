package dev.reprise.e2e.world;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;

/** The Stacks of one namespace, as a user with kubectl has them. */
public final class Stacks {
  static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Stack")
          .withPlural("stacks")
          .withNamespaced(true)
          .build();

  private final KubernetesClient client;
  private final String namespace;

  /**
   * Makes the namespace if it is not there, whose default service account may ask the API server
   * who calls: what every user of the Pulumi Kubernetes Operator has to grant to the pods of
   * workspaces.
   */
  public Stacks(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
    client
        .namespaces()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .serverSideApply();
    client
        .rbac()
        .clusterRoleBindings()
        .resource(
            new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(namespace + "-auth-delegator")
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "system:auth-delegator")
                .withSubjects(
                    new SubjectBuilder()
                        .withKind("ServiceAccount")
                        .withName("default")
                        .withNamespace(namespace)
                        .build())
                .build())
        .serverSideApply();
  }

  /** Their namespace. */
  public String namespace() {
    return namespace;
  }

  /** A Stack of this name, whether it exists or not. */
  public StackHandle named(String name) {
    return new StackHandle(client, namespace, name);
  }

  /**
   * Applies manifests into the namespace, as {@code kubectl apply --server-side} does.
   *
   * @param manifests YAML documents
   */
  public void apply(String manifests) {
    for (Object item : documents(manifests)) {
      GenericKubernetesResource object =
          Serialization.unmarshal(Serialization.asYaml(item), GenericKubernetesResource.class);
      client
          .resource(object)
          .inNamespace(namespace)
          .patch(
              new PatchContext.Builder()
                  .withPatchType(PatchType.SERVER_SIDE_APPLY)
                  .withFieldManager("kubectl")
                  .withForce(true)
                  .build());
    }
  }

  private static List<Object> documents(String manifests) {
    List<Object> documents = new ArrayList<>();
    for (String document : manifests.split("(?m)^---$", -1)) {
      if (!document.isBlank()) {
        documents.add(Serialization.unmarshal(document, Object.class));
      }
    }
    return documents;
  }
}
