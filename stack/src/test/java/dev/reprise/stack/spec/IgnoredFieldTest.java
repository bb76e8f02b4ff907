package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class IgnoredFieldTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          retryOnUpdateConflict: true                              | spec.retryOnUpdateConflict
          expectNoRefreshChanges: true                             | spec.expectNoRefreshChanges
          updateTemplate: {metadata: {labels: {a: b}}}             | spec.updateTemplate.metadata
          updateTemplate: {spec: {stackName: other}}               | spec.updateTemplate.spec.stackName
          updateTemplate: {spec: {workspaceName: w}}               | spec.updateTemplate.spec.workspaceName
          updateTemplate: {spec: {ttlAfterCompleted: 1h}}          | spec.updateTemplate.spec.ttlAfterCompleted
          updateTemplate: {status: {message: m}}                   | spec.updateTemplate.status
          workspaceTemplate: {status: {address: a}}                | spec.workspaceTemplate.status
          workspaceTemplate: {spec: {projectInfo: {name: n}}}      | spec.workspaceTemplate.spec.projectInfo
          {branch: main, programRef: {name: p}}                    | spec.branch
          {shallow: true, programRef: {name: p}}                   | spec.shallow
          targetDependents: true                                   | spec.targetDependents
          """)
  void aFieldWithoutEffectIsNamedWithAReason(String yaml, String path) {
    assertThat(given(yaml))
        .singleElement()
        .satisfies(field -> assertThat(field.path()).isEqualTo(path))
        .satisfies(field -> assertThat(field.reason()).isNotBlank());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stack: dev",
        "{retryOnUpdateConflict: false, expectNoRefreshChanges: null}",
        "updateTemplate: {metadata: {}, spec: {stackName: ''}}",
        "{projectRepo: r, branch: main, repoDir: d, shallow: true, gitAuthSecret: s}",
        "{targets: [a], targetDependents: true}",
        "{updateTemplate: {spec: {target: [a]}}, targetDependents: true}",
        "[not, an, object]"
      })
  void whatAsksForNothingOrHasAnEffectIsNotNamed(String yaml) {
    assertThat(given(yaml)).isEmpty();
  }

  @Test
  void aReasonNeverQuotesTheValue() {
    assertThat(given("{updateTemplate: {spec: {stackName: canary}}, gitAuthSecret: canary}"))
        .hasSize(2)
        .allSatisfy(field -> assertThat(field.toString()).doesNotContain("canary"));
  }

  private static List<IgnoredField> given(String yaml) {
    String object = "spec:\n" + yaml.indent(1);
    return IgnoredField.of(
        new KubernetesSerialization().unmarshal(object, JsonNode.class).path("spec"));
  }
}
