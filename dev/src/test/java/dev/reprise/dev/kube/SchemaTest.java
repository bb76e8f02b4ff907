package dev.reprise.dev.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaTest {
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

  private static GenericKubernetesResource create(String name, String spec) {
    return kube.widgets()
        .inNamespace("default")
        .resource(KubeFixture.widgetOf(name, spec))
        .create();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          size: 3                            | spec.title     | FieldValueRequired
          title: 5                           | spec.title     | FieldValueInvalid
          title: ''                          | spec.title     | FieldValueInvalid
          title: abcdefghijk                 | spec.title     | FieldValueInvalid
          title: ABC                         | spec.title     | FieldValueInvalid
          title: abc;size: 0                 | spec.size      | FieldValueInvalid
          title: abc;size: 101               | spec.size      | FieldValueInvalid
          title: abc;size: many              | spec.size      | FieldValueInvalid
          title: abc;mode: medium            | spec.mode      | FieldValueNotSupported
          title: abc;port: true              | spec.port      | FieldValueInvalid
          title: abc;labels: {a: 1}          | spec.labels.a  | FieldValueInvalid
          title: abc;steps: [{run: [1]}]     | spec.steps[0].run | FieldValueInvalid
          """)
  void whatTheSchemaForbidsIsRefusedByField(String spec, String field, String reason) {
    assertThatThrownBy(() -> create("one", spec.replace("''", "\"\"")))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(422);
              assertThat(e.getStatus().getReason()).isEqualTo("Invalid");
              assertThat(e.getStatus().getDetails().getCauses())
                  .first()
                  .satisfies(
                      cause -> {
                        assertThat(cause.getField()).isEqualTo(field);
                        assertThat(cause.getReason()).isEqualTo(reason);
                      });
            });
  }

  @Test
  void validValuesAreStoredAndUnknownFieldsPruned() {
    Map<String, Object> spec =
        create(
                "one",
                "title: abc;size: 100;port: 80;labels: {a: b};free: {x: {y: 1}};unknown: 1;steps: [{run: a, more: b}]")
            .get("spec");
    assertThat(spec)
        .containsEntry("size", 100)
        .containsEntry("port", 80)
        .containsEntry("labels", Map.of("a", "b"))
        .containsEntry("free", Map.of("x", Map.of("y", 1)))
        .containsEntry("steps", java.util.List.of(Map.of("run", "a")))
        .doesNotContainKey("unknown");
    assertThat(create("two", "title: abc;port: http").<String>get("spec", "port"))
        .isEqualTo("http");
  }

  @Test
  void defaultsAreFilledInOnEveryWayToWrite() {
    assertThat(create("one", "title: abc").<String>get("spec", "mode")).isEqualTo("slow");
    assertThat(kube.apply("two", "m", false, "title: abc").<String>get("spec", "mode"))
        .isEqualTo("slow");
  }

  @Test
  void theRuleOnTheLengthOfNamesIsKept() {
    create("a".repeat(42), "title: abc");
    assertThatThrownBy(() -> create("a".repeat(43), "title: abc"))
        .hasMessageContaining("name must be no more than 42 characters");
  }

  @Test
  void aNameThatNoUrlCouldHoldIsRefused() {
    assertThat(KubeFixture.refusal(() -> create("One_Two", "title: abc"))).isEqualTo(422);
  }

  @Test
  void statusIsCheckedToo() {
    create("one", "title: abc");
    assertThat(KubeFixture.refusal(() -> kube.applyStatus("one", "m", true, "count: many")))
        .isEqualTo(422);
    assertThat(KubeFixture.refusal(() -> kube.applyStatus("one", "m", true, "phase: null")))
        .isEqualTo(422);
  }
}
