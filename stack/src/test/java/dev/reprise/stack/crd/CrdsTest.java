package dev.reprise.stack.crd;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrdsTest {
  /** kubectl apply keeps the whole object in an annotation, and the API server limits those. */
  private static final int LARGEST_ANNOTATION = 262_144;

  @Test
  void bothVersionsOfTheStackAreServedAlikeAndV1IsStored() {
    List<CustomResourceDefinitionVersion> versions = Crds.stack().getSpec().getVersions();

    assertThat(versions)
        .extracting(CustomResourceDefinitionVersion::getName)
        .containsExactly("v1", "v1alpha1");
    assertThat(versions)
        .extracting(CustomResourceDefinitionVersion::getStorage)
        .containsExactly(true, false);
    assertThat(versions)
        .allSatisfy(
            version -> {
              assertThat(version.getServed()).isTrue();
              assertThat(version.getSubresources().getStatus()).isNotNull();
              assertThat(version.getSchema()).isEqualTo(versions.getFirst().getSchema());
            });
  }

  @Test
  void theColumnsAreTheCompatibleOnesWithFailuresAndNextAttempt() {
    List<CustomResourceDefinitionVersion> versions = Crds.stack().getSpec().getVersions();

    assertThat(versions.getFirst().getAdditionalPrinterColumns())
        .extracting(column -> column.getName() + " = " + column.getJsonPath())
        .containsExactly(
            "Stack = .spec.stack",
            "Last Update = .status.lastUpdate.state",
            "Age = .status.lastUpdate.lastResyncTime",
            "Last Commit = .status.lastUpdate.lastAttemptedCommit",
            "Ready = .status.conditions[?(@.type==\"Ready\")].status",
            "Reconciling = .status.conditions[?(@.type==\"Reconciling\")].reason",
            "Stalled = .status.conditions[?(@.type==\"Stalled\")].reason",
            "Failures = .status.retry.failures",
            "Next Attempt = .status.retry.nextAttemptTime",
            "Permalink = .status.lastUpdate.permalink");
    assertThat(versions.getFirst().getAdditionalPrinterColumns())
        .filteredOn(column -> column.getPriority() != null && column.getPriority() > 0)
        .extracting(CustomResourceColumnDefinition::getName)
        .containsExactly("Stack", "Last Commit");
    assertThat(versions.getLast().getAdditionalPrinterColumns()).isEmpty();
    assertThat(Crds.program().getSpec().getVersions().getFirst().getAdditionalPrinterColumns())
        .extracting(CustomResourceColumnDefinition::getName)
        .containsExactly("Age", "URL");
  }

  @Test
  void conditionsAreKeyedByTypeSoThatEachIsAppliedOnItsOwn() {
    SchemaFields.walk(
        Crds.stack().getSpec().getVersions().getFirst(),
        (path, schema) -> {
          if (path.equals("status.conditions")) {
            assertThat(schema.getXKubernetesListType()).isEqualTo("map");
            assertThat(schema.getXKubernetesListMapKeys()).containsExactly("type");
          }
        });
  }

  @Test
  void longNamesAreRefusedByTheApiServerToo() {
    JSONSchemaProps root =
        Crds.stack().getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();

    assertThat(root.getXKubernetesValidations().getFirst().getRule())
        .isEqualTo("size(self.metadata.name) <= 42");
    assertThat(Crds.stack().getSpec().getNames().getCategories()).containsExactly("pulumi");
  }

  @ParameterizedTest
  @ValueSource(strings = {"stacks", "programs"})
  void theDefinitionsFitIntoOneApplyWithItsAnnotation(String plural) {
    CustomResourceDefinition definition = plural.equals("stacks") ? Crds.stack() : Crds.program();
    String json = new KubernetesSerialization().asJson(definition);

    assertThat(definition.getMetadata().getName()).isEqualTo(plural + ".pulumi.com");
    assertThat(json.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(LARGEST_ANNOTATION);
    assertThat(resource("/crds/" + plural + ".pulumi.com.yaml")).hasSizeLessThan(200_000);
  }

  private static byte[] resource(String name) {
    try (InputStream in = CrdsTest.class.getResourceAsStream(name)) {
      return requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
