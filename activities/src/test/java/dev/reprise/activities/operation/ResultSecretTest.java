package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.ProjectInfo;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultSecretTest {
  private static final OperationInput INPUT =
      new OperationInput(
          new StackRef("apps", "web", "u-1"),
          3,
          OperationKind.UP,
          false,
          "u-1/3/up/web-1a",
          "web-1a",
          false,
          Duration.ZERO,
          Duration.ZERO);

  @Test
  void hasTheShapeReadersKnow() {
    Secret secret =
        secret(Map.of("url", value("\"http://x\"", false), "pass word", value("\"pw\"", true)));
    assertThat(secret.getMetadata().getName()).isEqualTo("web-1a-stack-outputs");
    assertThat(secret.getMetadata().getNamespace()).isEqualTo("apps");
    assertThat(secret.getImmutable()).isTrue();
    assertThat(secret.getMetadata().getLabels())
        .containsEntry("auto.pulumi.com/component", "update")
        .containsEntry("auto.pulumi.com/update-name", "web-1a");
    assertThat(secret.getMetadata().getAnnotations())
        .containsEntry("pulumi.com/secrets", "[\"pass_word\"]")
        .containsEntry("reprise.dev/outcome", "SUCCEEDED");
    assertThat(secret.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo("u-1"))
        .satisfies(owner -> assertThat(owner.getKind()).isEqualTo("Stack"));
    assertThat(decoded(secret, "url")).isEqualTo("\"http://x\"");
  }

  @Test
  void outputsThatBecomeTheSameKeyAreAllKept() {
    Secret secret =
        secret(Map.of("a/b", value("1", false), "a:b", value("2", true), "a_b", value("3", false)));
    assertThat(secret.getData()).containsOnlyKeys("a_b", "a_b_2", "a_b_3");
    assertThat(decoded(secret, "a_b")).isEqualTo("1");
    assertThat(secret.getMetadata().getAnnotations())
        .containsEntry("pulumi.com/secrets", "[\"a_b_2\"]");
  }

  @Test
  void theLargestOutputsAreDroppedWithANote() {
    Secret secret =
        secret(
            Map.of(
                "big", value("x".repeat(900_000), false),
                "bigger", value("x".repeat(950_000), false),
                "small", value("1", false)));
    assertThat(secret.getData()).containsOnlyKeys("big", "small");
    assertThat(secret.getMetadata().getAnnotations().get(ResultSecret.NOTE)).endsWith("bigger");
  }

  @Test
  void theFailureTextIsBounded() {
    Secret secret =
        ResultSecret.of(
            INPUT,
            Outcome.OPERATION_FAILED,
            "first\n" + "x\n".repeat(50_000) + "last",
            Map.of(),
            ProjectInfo.getDefaultInstance());
    assertThat(secret.getMetadata().getAnnotations().get(ResultSecret.MESSAGE))
        .hasSizeLessThanOrEqualTo(16 * 1024)
        .startsWith("first")
        .endsWith("last");
  }

  private static Secret secret(Map<String, OutputValue> outputs) {
    return ResultSecret.of(INPUT, Outcome.SUCCEEDED, "", outputs, ProjectInfo.getDefaultInstance());
  }

  private static OutputValue value(String json, boolean secret) {
    return OutputValue.newBuilder()
        .setValue(ByteString.copyFromUtf8(json))
        .setSecret(secret)
        .build();
  }

  private static String decoded(Secret secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
  }
}
