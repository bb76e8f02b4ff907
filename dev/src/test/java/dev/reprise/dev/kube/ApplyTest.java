package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ApplyTest {
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
  }

  @Test
  void applyCreatesWhatIsMissingButNeverThroughStatus() {
    GenericKubernetesResource created = kube.apply("one", "a", false, "title: abc");
    assertThat(created.getMetadata().getGeneration()).isEqualTo(1);
    assertThat(created.getMetadata().getManagedFields())
        .extracting(ManagedFieldsEntry::getManager, ManagedFieldsEntry::getOperation)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("a", "Apply"));
    assertThat(KubeFixture.refusal(() -> kube.applyStatus("none", "a", true, "phase: x")))
        .isEqualTo(404);
  }

  @Test
  void whatAManagerNoLongerAppliesGoesAwayUnlessAnotherOwnsIt() {
    kube.apply("one", "a", false, "title: abc;size: 3;mode: fast");
    kube.apply("one", "b", false, "title: abc;size: 3");
    Map<String, Object> spec = kube.apply("one", "a", false, "title: abc").get("spec");
    assertThat(spec).containsEntry("size", 3);
    assertThat(spec.get("mode")).isNotEqualTo("fast");
  }

  @Test
  void whoTakesOverTheNameOfAManagerRemovesWhatThatOneSet() {
    kube.apply("one", "a", false, "title: abc;size: 3");
    String entries =
        kube.client
            .getKubernetesSerialization()
            .asJson(kube.widget("one").get().getMetadata().getManagedFields())
            .replace("\"manager\":\"a\"", "\"manager\":\"b\"");
    kube.widget("one")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"managedFields\":" + entries + "}}");
    Map<String, Object> spec = kube.apply("one", "b", false, "title: abc").get("spec");
    assertThat(spec.get("size")).isNotEqualTo(3);
  }

  @Test
  void aFieldOfAnotherManagerIsAConflictUnlessForced() {
    kube.apply("one", "a", false, "title: abc");
    assertThatThrownBy(() -> kube.apply("one", "b", false, "title: other"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(409);
              assertThat(e.getStatus().getDetails().getCauses())
                  .extracting("field")
                  .containsExactly(".spec.title");
            });
    kube.apply("one", "b", true, "title: other");
    assertThat(kube.widget("one").get().<String>get("spec", "title")).isEqualTo("other");
    assertThat(KubeFixture.refusal(() -> kube.apply("one", "a", false, "title: abc")))
        .isEqualTo(409);
  }

  @Test
  void conditionsMergeByType() {
    kube.create("one");
    kube.applyStatus(
        "one",
        "a",
        true,
        "conditions: [{type: Ready, status: 'False'}, {type: Stalled, status: 'True'}]");
    kube.applyStatus("one", "b", true, "conditions: [{type: Other, status: 'True'}]");
    GenericKubernetesResource applied =
        kube.applyStatus("one", "a", true, "conditions: [{type: Ready, status: 'True'}]");
    assertThat(applied.<List<Map<String, Object>>>get("status", "conditions"))
        .containsExactly(
            Map.of("type", "Ready", "status", "True"), Map.of("type", "Other", "status", "True"));
  }

  @Test
  void anUndeclaredFieldFailsTheWholeApply() {
    kube.create("one");
    assertThatThrownBy(() -> kube.applyStatus("one", "a", true, "unheard: of"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(500);
              assertThat(e.getStatus().getMessage())
                  .contains(
                      "failed to create typed patch object",
                      ".status.unheard",
                      "field not declared in schema");
            });
  }

  @Test
  void freeFormFieldsTakeAnything() {
    kube.create("one");
    GenericKubernetesResource applied =
        kube.applyStatus("one", "a", true, "outputs: {url: x, deep: {list: [1, 2]}}");
    assertThat(applied.<String>get("status", "outputs", "url")).isEqualTo("x");
    applied = kube.applyStatus("one", "a", true, "outputs: {deep: {list: [1, 2]}}");
    assertThat(applied.<Map<String, Object>>get("status", "outputs")).containsOnlyKeys("deep");
  }

  @Test
  void aStatusApplyTouchesNeitherSpecNorGeneration() {
    kube.create("one");
    GenericKubernetesResource applied = kube.applyStatus("one", "a", true, "phase: up");
    assertThat(applied.<String>get("spec", "title")).isEqualTo("abc");
    assertThat(applied.getMetadata().getManagedFields())
        .anySatisfy(entry -> assertThat(entry.getSubresource()).isEqualTo("status"));
    GenericKubernetesResource respec = kube.apply("one", "c", true, "title: abc;size: 9");
    assertThat(respec.<String>get("status", "phase")).isEqualTo("up");
  }

  @Test
  void anApplyOfTheSameChangesNothing() {
    kube.create("one");
    GenericKubernetesResource first = kube.applyStatus("one", "a", true, "phase: up");
    GenericKubernetesResource again = kube.applyStatus("one", "a", true, "phase: up");
    assertThat(again.getMetadata().getResourceVersion())
        .isEqualTo(first.getMetadata().getResourceVersion());
  }

  @Test
  void aStaleResourceVersionIsAConflict() {
    String old = kube.create("one").getMetadata().getResourceVersion();
    kube.applyStatus("one", "a", true, "phase: up");
    String body =
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\n  resourceVersion: '%s'\nspec:\n  title: abc\n"
            .formatted(old);
    assertThat(
            KubeFixture.refusal(
                () -> kube.widget("one").patch(KubeFixture.applyAs("a", true), body)))
        .isEqualTo(409);
  }

  @Test
  void anUpdateTakesTheFieldsItChanges() {
    kube.apply("one", "a", false, "title: abc;size: 3");
    kube.widget("one")
        .edit(
            w -> {
              w.<Map<String, Object>>get("spec").put("size", 5);
              return w;
            });
    assertThat(KubeFixture.refusal(() -> kube.apply("one", "a", false, "title: abc;size: 3")))
        .isEqualTo(409);
    Map<String, Object> spec = kube.apply("one", "a", false, "title: abc").get("spec");
    assertThat(spec).containsEntry("size", 5);
  }
}
