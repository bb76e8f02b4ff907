package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.report.ReportStatus;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.ProjectInfo;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.stack.status.StatusJson;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.condition.ConditionSet;
import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a program prints and puts out may be megabytes; what is written on its Stack is not. */
@Timeout(60)
class LargeResultTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final int STATUS_LIMIT = 256 * 1024;
  private static final String MEGABYTES = "0123456789abcdef".repeat(3 * 65_536);

  private final Cluster cluster = Cluster.start();
  private final StackRef stack = cluster.stack("web", Map.of("stack", "dev"));

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void outputsOfMegabytesAreCutInTheStatusWhichSaysSo() {
    Map<String, OutputValue> outputs = new HashMap<>();
    outputs.put("big", value('"' + MEGABYTES + '"', false));
    outputs.put("medium", value('"' + "y".repeat(200_000) + '"', false));
    outputs.put("a-url", value("\"http://x\"", false));
    outputs.put("a-password", value('"' + MEGABYTES + '"', true));
    for (int i = 0; i < 5_000; i++) {
      outputs.put("small-" + i, value("\"é" + "z".repeat(60) + '"', i % 2 == 0));
    }

    StackStatus status = reported("web-1", Outcome.SUCCEEDED, "", outputs);

    assertThat(bytes(status)).isLessThan(STATUS_LIMIT);
    assertThat(status.outputs().toString())
        .contains("http://x")
        .contains("medium=\"[truncated: too large to be shown here, see Secret web-1-stack-out")
        .containsPattern("\\[truncated]=\"\\d+ more, see Secret web-1-stack-outputs\"")
        .doesNotContain("0123456789abcdef");
    assertThat(annotations("web-1")).isLessThan(STATUS_LIMIT);
  }

  @Test
  void anOutputThatNoSecretCanHoldIsNamed() {
    StackStatus status =
        reported(
            "web-1",
            Outcome.SUCCEEDED,
            "",
            Map.of(
                "big", value('"' + MEGABYTES + '"', false), "url", value("\"http://x\"", false)));

    assertThat(status.outputs().toString())
        .isEqualTo("{url=\"http://x\", big=\"[truncated: too large to be kept]\"}");
  }

  @Test
  void aFailureTextOfMegabytesKeepsItsFirstAndLastLines() {
    String text =
        "up failed: exit status 255\n"
            + "\u001B[31m🚀 é "
            + MEGABYTES
            + "\u001B[0m\n"
            + "🚀\u0007".repeat(500_000)
            + "\nerror: bucket is taken\n";

    StackStatus status = reported("web-1", Outcome.OPERATION_FAILED, text, Map.of());

    assertThat(status.lastUpdate().message())
        .startsWith("up failed: exit status 255\n")
        .endsWith("\nerror: bucket is taken\n")
        .contains("characters left out");
    assertThat(bytes(status)).isLessThan(STATUS_LIMIT);
    assertThat(annotations("web-1")).isLessThan(STATUS_LIMIT);
    assertThat(StatusJson.toAnnotation(status.retry())).hasSizeLessThan(16 * 1024);
  }

  private StackStatus reported(
      String update, Outcome outcome, String text, Map<String, OutputValue> outputs) {
    OperationInput input =
        new OperationInput(
            stack,
            1,
            OperationKind.UP,
            false,
            stack.uid() + "/1/up/" + update,
            update,
            false,
            Duration.ZERO,
            Duration.ZERO);
    Secret secret =
        ResultSecret.of(input, outcome, text, outputs, ProjectInfo.getDefaultInstance());
    assertThat(new KubernetesResults(cluster.client).keep(secret)).isEmpty();
    boolean succeeded = outcome == Outcome.SUCCEEDED;
    String message = succeeded ? "" : FailureWords.of(OperationKind.UP, outcome, text);
    StackState state =
        new StackState(
            succeeded ? 0 : 1,
            1,
            0,
            1,
            true,
            new LastAttempt(
                OperationKind.UP, 1, false, "t".repeat(1_024), "", "", "", outcome, message, NOW),
            new LastUpdate(update, OperationKind.UP, 1, "", succeeded, message, "", "", "", NOW),
            "h".repeat(300),
            PendingRetry.of(true, "r".repeat(300)),
            Underway.NONE,
            1);
    ReportInput report =
        new ReportInput(
            stack,
            new Looked(1, ""),
            1,
            "",
            ConditionSet.of(
                new Situation(Phase.COOLING_DOWN, "Why", "m".repeat(1_000_000), "", Instant.EPOCH)),
            state,
            "",
            "60s..86400s",
            NOW,
            NOW,
            List.of());
    new ReportStatus(StackObjects.limited(cluster.client), "c1", () -> NOW).report(report);
    return StackReader.status(cluster.get(stack));
  }

  private int annotations(String update) {
    return cluster
        .client
        .secrets()
        .inNamespace(Cluster.NAMESPACE)
        .withName(ResultSecret.name(update))
        .get()
        .getMetadata()
        .getAnnotations()
        .toString()
        .getBytes(StandardCharsets.UTF_8)
        .length;
  }

  private static int bytes(StackStatus status) {
    return StatusJson.toJson(status).toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static OutputValue value(String json, boolean secret) {
    return OutputValue.newBuilder()
        .setValue(ByteString.copyFromUtf8(json))
        .setSecret(secret)
        .build();
  }
}
