package dev.reprise.activities.kube;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.stack.crd.Crds;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;

/** An API server for one test, with our definitions unless told otherwise. */
public final class Cluster implements AutoCloseable {
  public static final String NAMESPACE = "apps";

  public final EmbeddedKubernetes server = EmbeddedKubernetes.start();
  public final KubernetesClient client = server.client();

  private Cluster() {
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
  }

  public static Cluster start() {
    Cluster cluster = new Cluster();
    cluster.client.resource(Crds.stack()).create();
    return cluster;
  }

  /** Without any definition of a Stack. */
  public static Cluster bare() {
    return new Cluster();
  }

  public StackRef stack(String name, Map<String, Object> spec) {
    return stack(name, spec, Map.of());
  }

  public StackRef stack(String name, Map<String, Object> spec, Map<String, String> annotations) {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setApiVersion(StackObjects.API_VERSION);
    stack.setKind(StackObjects.KIND);
    stack.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(NAMESPACE)
            .withName(name)
            .withAnnotations(annotations)
            .build());
    stack.setAdditionalProperty("spec", spec);
    GenericKubernetesResource created = client.resource(stack).create();
    return new StackRef(NAMESPACE, name, created.getMetadata().getUid());
  }

  public Resource<GenericKubernetesResource> named(StackRef stack) {
    return new StackObjects(client).named(stack);
  }

  public GenericKubernetesResource get(StackRef stack) {
    return StackObjects.require(named(stack));
  }

  public void patch(StackRef stack, String mergePatch) {
    named(stack).patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
  }

  public void patchStatus(StackRef stack, String mergePatch) {
    named(stack).subresource("status").patch(PatchContext.of(PatchType.JSON_MERGE), mergePatch);
  }

  public void secret(String name, Map<String, String> data) {
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .withStringData(data)
                .build())
        .create();
  }

  public void configMap(String name, Map<String, String> data) {
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .withData(data)
                .build())
        .create();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
