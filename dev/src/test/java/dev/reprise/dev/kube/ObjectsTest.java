package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ObjectsTest {
  private static KubeFixture kube;

  @BeforeAll
  static void start() {
    kube = new KubeFixture();
  }

  @AfterAll
  static void stop() {
    kube.close();
  }

  @AfterEach
  void clean() {
    kube.widgets().inNamespace("default").delete();
    kube.client.configMaps().inNamespace("default").delete();
  }

  @Test
  void newObjectsGetTheServersMetadata() {
    ObjectMeta meta = kube.create("one").getMetadata();
    assertThat(meta.getUid()).isNotEmpty();
    assertThat(meta.getCreationTimestamp()).isNotEmpty();
    assertThat(meta.getResourceVersion()).isNotEmpty();
    assertThat(meta.getGeneration()).isEqualTo(1);
    assertThat(kube.widget("one").get().getMetadata()).isEqualTo(meta);
  }

  @Test
  void aNameIsMadeFromGenerateName() {
    ConfigMap created =
        kube.client
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withGenerateName("a-")
                    .endMetadata()
                    .build())
            .create();
    assertThat(created.getMetadata().getName()).matches("a-[a-z0-9]{5}");
  }

  @Test
  void aSecondObjectOfTheSameNameIsRefused() {
    kube.create("one");
    assertThatThrownBy(() -> kube.create("one"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> assertThat(e.getStatus().getReason()).isEqualTo("AlreadyExists"));
  }

  @Test
  void aStaleWriteIsRefusedOnTheObjectAndOnItsStatus() {
    GenericKubernetesResource old = kube.create("one");
    kube.widget("one").edit(w -> label(w, "a", "b"));
    assertThat(
            KubeFixture.refusal(() -> kube.widgets().inNamespace("default").resource(old).update()))
        .isEqualTo(409);
    old.setAdditionalProperty("status", Map.of("phase", "late"));
    assertThat(
            KubeFixture.refusal(
                () -> kube.widgets().inNamespace("default").resource(old).updateStatus()))
        .isEqualTo(409);
  }

  @Test
  void aReplaceOfACustomResourceNeedsAResourceVersion() throws Exception {
    kube.create("one");
    String body =
        "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"one\"},\"spec\":{\"title\":\"x\"}}";
    assertThat(
            kube.http(
                    "PUT",
                    "/apis/example.com/v1/namespaces/default/widgets/one",
                    "application/json",
                    body)
                .statusCode())
        .isEqualTo(422);
  }

  @Test
  void onlyASpecChangeRaisesTheGeneration() {
    kube.create("one");
    kube.widget("one").edit(w -> label(w, "a", "b"));
    assertThat(kube.applyStatus("one", "m", true, "phase: up").getMetadata().getGeneration())
        .isEqualTo(1);
    kube.widget("one").edit(w -> spec(w, "size", 7));
    assertThat(kube.widget("one").get().getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void statusIsWrittenThroughItsSubresourceOnly() {
    GenericKubernetesResource created = kube.create("one");
    created.setAdditionalProperty("status", Map.of("phase", "sneaked"));
    GenericKubernetesResource replaced =
        kube.widgets().inNamespace("default").resource(created).update();
    assertThat(replaced.getAdditionalProperties()).doesNotContainKey("status");

    replaced.setAdditionalProperty("status", Map.of("phase", "up"));
    spec(replaced, "title", "changed");
    GenericKubernetesResource updated =
        kube.widgets().inNamespace("default").resource(replaced).updateStatus();
    assertThat(updated.<String>get("status", "phase")).isEqualTo("up");
    assertThat(updated.<String>get("spec", "title")).isEqualTo("abc");
  }

  @Test
  void aChangeOfNothingKeepsTheResourceVersion() {
    GenericKubernetesResource created = kube.create("one");
    GenericKubernetesResource again =
        kube.widgets().inNamespace("default").resource(created).update();
    assertThat(again.getMetadata().getResourceVersion())
        .isEqualTo(created.getMetadata().getResourceVersion());
  }

  @Test
  void jsonPatchChangesWhatItNamesAndItsTestMustHold() {
    kube.create("one");
    PatchContext json = PatchContext.of(PatchType.JSON);
    String add =
        "[{\"op\":\"test\",\"path\":\"/spec/title\",\"value\":\"abc\"},"
            + "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"example.com/f\"]}]";
    GenericKubernetesResource patched = kube.widget("one").patch(json, add);
    assertThat(patched.getMetadata().getFinalizers()).containsExactly("example.com/f");
    String wrong = "[{\"op\":\"test\",\"path\":\"/spec/title\",\"value\":\"zzz\"}]";
    assertThat(KubeFixture.refusal(() -> kube.widget("one").patch(json, wrong))).isEqualTo(422);
    kube.widget("one").patch(json, "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]");
  }

  @Test
  void mergePatchReplacesListsAndRemovesNulls() {
    kube.widgets()
        .inNamespace("default")
        .resource(KubeFixture.widgetOf("one", "title: abc;size: 3;steps: [{run: a}, {run: b}]"))
        .create();
    GenericKubernetesResource patched =
        kube.widget("one")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"spec\":{\"size\":null,\"steps\":[{\"run\":\"c\"}]}}");
    assertThat(patched.<Map<String, Object>>get("spec")).doesNotContainKey("size");
    assertThat(patched.<List<?>>get("spec", "steps")).hasSize(1);
  }

  @Test
  void strategicMergeIsRefused() {
    kube.create("one");
    assertThat(
            KubeFixture.refusal(
                () ->
                    kube.widget("one")
                        .patch(
                            PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"spec\":{\"size\":4}}")))
        .isEqualTo(415);
  }

  @Test
  void aMissingObjectIsNamedAndAMissingCrdIsNot() {
    assertThatThrownBy(() -> kube.widget("none").edit(w -> w)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> kube.applyStatus("none", "m", true, "phase: up"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getStatus().getDetails().getName()).isEqualTo("none");
              assertThat(e.getStatus().getDetails().getGroup()).isEqualTo("example.com");
              assertThat(e.getStatus().getDetails().getKind()).isEqualTo("widgets");
            });
  }

  @Test
  void aPathWithoutACrdIsAPlain404() throws Exception {
    var answer = kube.http("GET", "/apis/none.example.com/v1/namespaces/default/things/a", "", "");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("404 page not found\n");
  }

  @Test
  void requestsWithoutTheTokenAreRefused() throws Exception {
    var anonymous = java.net.http.HttpRequest.newBuilder(kube.server.url().resolve("/api")).build();
    try (var http = java.net.http.HttpClient.newHttpClient()) {
      assertThat(
              http.send(anonymous, java.net.http.HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(401);
    }
  }

  @Test
  void selectorsChooseByLabelAndField() {
    for (String name : List.of("a", "b", "c")) {
      kube.client
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .addToLabels(name.equals("c") ? Map.of() : Map.of("tier", name))
                  .endMetadata()
                  .build())
          .create();
    }
    var maps = kube.client.configMaps().inNamespace("default");
    assertThat(names(maps.withLabel("tier", "a").list().getItems())).containsExactly("a");
    assertThat(names(maps.withoutLabel("tier", "a").list().getItems())).containsExactly("b", "c");
    assertThat(names(maps.withLabelIn("tier", "a", "b").list().getItems()))
        .containsExactly("a", "b");
    assertThat(names(maps.withLabelNotIn("tier", "a").list().getItems())).containsExactly("b", "c");
    assertThat(names(maps.withLabel("tier").list().getItems())).containsExactly("a", "b");
    assertThat(names(maps.withoutLabel("tier").list().getItems())).containsExactly("c");
    assertThat(names(maps.withField("metadata.name", "b").list().getItems())).containsExactly("b");
  }

  @Test
  void listsComeInPages() {
    for (String name : List.of("a", "b", "c")) {
      kube.create(name);
    }
    var first =
        kube.widgets().inNamespace("default").list(new ListOptionsBuilder().withLimit(2L).build());
    assertThat(first.getItems()).hasSize(2);
    kube.create("d");
    var second =
        kube.widgets()
            .inAnyNamespace()
            .list(
                new ListOptionsBuilder()
                    .withLimit(2L)
                    .withContinue(first.getMetadata().getContinue())
                    .build());
    assertThat(names(second.getItems())).containsExactly("c", "d");
    assertThat(second.getMetadata().getContinue()).isNullOrEmpty();
    assertThat(second.getMetadata().getResourceVersion())
        .isEqualTo(first.getMetadata().getResourceVersion());
  }

  @Test
  void secretsAreStoredEncoded() {
    Secret created =
        kube.client
            .resource(
                new SecretBuilder()
                    .withNewMetadata()
                    .withName("s")
                    .endMetadata()
                    .addToStringData("k", "v")
                    .build())
            .create();
    assertThat(created.getData()).containsEntry("k", "dg==");
    assertThat(created.getStringData()).isNullOrEmpty();
  }

  private static List<String> names(
      List<? extends io.fabric8.kubernetes.api.model.HasMetadata> items) {
    return items.stream().map(item -> item.getMetadata().getName()).toList();
  }

  private static GenericKubernetesResource label(
      GenericKubernetesResource widget, String name, String value) {
    widget.getMetadata().setLabels(Map.of(name, value));
    return widget;
  }

  private static GenericKubernetesResource spec(
      GenericKubernetesResource widget, String name, Object value) {
    widget.<Map<String, Object>>get("spec").put(name, value);
    return widget;
  }
}
