package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeletionTest {
  private static final String FINALIZER = "example.com/hold";

  private final KubeFixture kube = new KubeFixture();

  @AfterEach
  void stop() {
    kube.close();
  }

  private void hold(String name) {
    patch(
        name,
        "[{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"example.com/hold\"]}]");
  }

  private void release(String name) {
    patch(
        name,
        "[{\"op\":\"test\",\"path\":\"/metadata/finalizers/0\",\"value\":\"example.com/hold\"},"
            + "{\"op\":\"remove\",\"path\":\"/metadata/finalizers/0\"}]");
  }

  private GenericKubernetesResource patch(String name, String patch) {
    return kube.widget(name).patch(PatchContext.of(PatchType.JSON), patch);
  }

  @Test
  void aFinalizerHoldsTheObjectAndItsRemovalEndsIt() {
    kube.create("one");
    hold("one");
    kube.widget("one").delete();
    GenericKubernetesResource held = kube.widget("one").get();
    assertThat(held.getMetadata().getDeletionTimestamp()).isNotEmpty();
    assertThat(held.getMetadata().getGeneration()).isEqualTo(2);
    assertThat(held.getMetadata().getFinalizers()).containsExactly(FINALIZER);
    release("one");
    assertThat(kube.widget("one").get()).isNull();
  }

  @Test
  void noFinalizerCanBeAddedToADyingObject() {
    kube.create("one");
    hold("one");
    kube.widget("one").delete();
    String add =
        "[{\"op\":\"add\",\"path\":\"/metadata/finalizers/-\",\"value\":\"example.com/late\"}]";
    assertThat(KubeFixture.refusal(() -> patch("one", add))).isEqualTo(422);
  }

  @Test
  void deletePreconditionsMustHold() throws Exception {
    kube.create("one");
    String path = "/apis/example.com/v1/namespaces/default/widgets/one";
    String uid = kube.widget("one").get().getMetadata().getUid();
    String options =
        "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"uid\":\"%s\"}}";
    assertThat(
            kube.http("DELETE", path, "application/json", options.formatted("other")).statusCode())
        .isEqualTo(409);
    assertThat(kube.http("DELETE", path, "application/json", options.formatted(uid)).statusCode())
        .isEqualTo(200);
  }

  private ConfigMap dependent(String name, GenericKubernetesResource owner) {
    return kube.client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .addNewOwnerReference()
                .withApiVersion("example.com/v1")
                .withKind("Widget")
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withBlockOwnerDeletion(true)
                .endOwnerReference()
                .endMetadata()
                .build())
        .create();
  }

  private ConfigMap configMap(String name) {
    return kube.client.configMaps().inNamespace("default").withName(name).get();
  }

  @Test
  void backgroundDeletionRemovesDependentsAfterTheOwner() {
    dependent("child", kube.create("one"));
    hold("one");
    kube.widget("one").withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    assertThat(configMap("child")).isNotNull();
    release("one");
    assertThat(configMap("child")).isNull();
  }

  @Test
  void foregroundDeletionRemovesDependentsEvenWhileAFinalizerHoldsTheOwner() {
    dependent("child", kube.create("one"));
    hold("one");
    kube.widget("one").withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
    assertThat(configMap("child")).isNull();
    assertThat(kube.widget("one").get().getMetadata().getFinalizers()).containsExactly(FINALIZER);
  }

  @Test
  void orphanedDependentsStayWithoutTheirOwner() {
    dependent("child", kube.create("one"));
    kube.widget("one").withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
    assertThat(kube.widget("one").get()).isNull();
    assertThat(configMap("child").getMetadata().getOwnerReferences()).isEmpty();
  }

  @Test
  void aNamespaceTakesItsContentAlongAndRefusesMoreMeanwhile() {
    kube.client
        .resource(new NamespaceBuilder().withNewMetadata().withName("team").endMetadata().build())
        .create();
    kube.widgets().inNamespace("team").resource(KubeFixture.widgetOf("one", "title: abc")).create();
    var one = kube.widgets().inNamespace("team").withName("one");
    one.patch(
        PatchContext.of(PatchType.JSON),
        "[{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"example.com/hold\"]}]");
    kube.client.namespaces().withName("team").delete();
    assertThat(kube.client.namespaces().withName("team").get().getStatus().getPhase())
        .isEqualTo("Terminating");
    assertThat(
            KubeFixture.refusal(
                () ->
                    kube.widgets()
                        .inNamespace("team")
                        .resource(KubeFixture.widgetOf("two", "title: abc"))
                        .create()))
        .isEqualTo(403);
    one.patch(
        PatchContext.of(PatchType.JSON), "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]");
    assertThat(kube.client.namespaces().withName("team").get()).isNull();
    assertThat(
            KubeFixture.refusal(
                () ->
                    kube.widgets()
                        .inNamespace("team")
                        .resource(KubeFixture.widgetOf("two", "title: abc"))
                        .create()))
        .isEqualTo(404);
  }

  @Test
  void aCrdTakesItsObjectsAlongAndThenItsPathIsGone() {
    kube.create("one");
    kube.client.resource(KubeFixture.widgetCrd()).delete();
    assertThat(KubeFixture.refusal(() -> kube.create("two"))).isEqualTo(404);
    kube.client.resource(KubeFixture.widgetCrd()).create();
    assertThat(kube.widgets().inAnyNamespace().list().getItems()).isEmpty();
  }
}
