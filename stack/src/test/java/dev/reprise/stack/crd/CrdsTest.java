package dev.reprise.stack.crd;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CrdsTest {
  private static final Set<String> OURS =
      Set.of(
          "spec.operation",
          "spec.operation.idleTimeoutSeconds",
          "spec.operation.timeoutSeconds",
          "spec.prerequisites[].requirement.sameRevision",
          "spec.retry",
          "spec.retry.failureLimit",
          "spec.retry.initialBackoffSeconds",
          "spec.retry.stalledAfter");

  // The members of a reference and of the two templates are not in the list of compatible fields or
  // are free-form.
  private static final String UNLISTED =
      ".*\\.(secret|literal|env|filesystem)(\\..*)?|.*(Refs?\\{}|accessToken|password|userName"
          + "|appID|installationID|privateKey|sshPrivateKey)\\.type|status\\.retry.*";

  @Test
  void theFieldsAreTheCompatibleOnesAndOurs() throws IOException {
    Set<String> expected = new TreeSet<>(OURS);
    resource("/dev/reprise/stack/crd/compatible-fields.txt")
        .lines()
        .filter(field -> !field.matches("spec\\.(workspace|update)Template\\..*"))
        .forEach(expected::add);

    Set<String> fields = fields(Crds.stack().getSpec().getVersions().getFirst());
    fields.removeIf(field -> field.matches(UNLISTED));

    assertThat(fields).containsExactlyElementsOf(expected);
  }

  @Test
  void theRetryRecordIsDeclared() {
    assertThat(fields(Crds.stack().getSpec().getVersions().getFirst()))
        .contains(
            "status.retry.failures",
            "status.retry.attempt",
            "status.retry.last.kind",
            "status.retry.last.generation",
            "status.retry.last.reconcileRequest",
            "status.retry.last.revision",
            "status.retry.last.inputs",
            "status.retry.last.result",
            "status.retry.last.reason",
            "status.retry.last.endTime",
            "status.retry.nextAttemptTime",
            "status.retry.nextWakeTime",
            "status.retry.hold",
            "status.retry.paused",
            "status.retry.request.reason",
            "status.retry.request.resetFailures",
            "status.retry.request.time",
            "status.retry.policy",
            "status.retry.sequence");
  }

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
              assertThat(version.getAdditionalPrinterColumns())
                  .extracting(CustomResourceColumnDefinition::getName)
                  .containsExactly(
                      "Stack",
                      "Last Update",
                      "Age",
                      "Last Commit",
                      "Ready",
                      "Reconciling",
                      "Stalled",
                      "Failures",
                      "Next Attempt",
                      "Permalink");
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

  @Test
  void templatesAndConfigAreFreeForm() {
    JSONSchemaProps root =
        Crds.stack().getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
    Map<String, JSONSchemaProps> spec =
        requireNonNull(root.getProperties().get("spec")).getProperties();

    assertThat(List.of("workspaceTemplate", "updateTemplate", "config"))
        .allSatisfy(
            field ->
                assertThat(requireNonNull(spec.get(field)).getXKubernetesPreserveUnknownFields())
                    .isTrue());
  }

  @Test
  void theProgramHasItsArtifactInTheStatus() {
    CustomResourceDefinition program = Crds.program();

    assertThat(program.getMetadata().getName()).isEqualTo("programs.pulumi.com");
    assertThat(fields(program.getSpec().getVersions().getFirst()))
        .contains(
            "program", "status.artifact.digest", "status.artifact.revision", "status.artifact.url");
  }

  @Test
  void theFilesFitIntoOneApplyWithItsAnnotation() throws IOException {
    assertThat(resource("/crds/stacks.pulumi.com.yaml")).hasSizeLessThan(200_000);
  }

  private static Set<String> fields(CustomResourceDefinitionVersion version) {
    Set<String> fields = new TreeSet<>();
    JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
    collect("", root, fields);
    fields.removeAll(Set.of("apiVersion", "kind", "metadata", "spec", "status"));
    return fields;
  }

  private static void collect(String path, JSONSchemaProps schema, Set<String> fields) {
    if (schema.getProperties() != null) {
      schema
          .getProperties()
          .forEach(
              (name, property) -> {
                String field = path.isEmpty() ? name : path + "." + name;
                fields.add(field);
                collect(field, property, fields);
              });
    }
    if (schema.getItems() != null && schema.getItems().getSchema() != null) {
      collect(path + "[]", schema.getItems().getSchema(), fields);
    }
    if (schema.getAdditionalProperties() != null
        && schema.getAdditionalProperties().getSchema() != null) {
      collect(path + "{}", schema.getAdditionalProperties().getSchema(), fields);
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = CrdsTest.class.getResourceAsStream(name)) {
      assertThat(in).as(name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
