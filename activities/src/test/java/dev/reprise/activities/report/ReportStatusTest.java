package dev.reprise.activities.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReportStatusTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final Condition READY =
      new Condition("Ready", true, "ProcessingCompleted", "up to date");
  private static final Condition NOT_READY =
      new Condition("Ready", false, "NotReadyInProgress", "in progress");
  private static final Condition RECONCILING =
      new Condition("Reconciling", true, "RetryingAfterFailure", "up failed once");
  private static final String CANARY = "canary-91ac";

  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private Cluster cluster = Cluster.start();
  private ReportStatus report = reporting();

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theWholeStatusIsWrittenAtOnce() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    assertThat(report.report(failed(stack, 1)).written()).isTrue();
    StackStatus status = status(stack);
    assertThat(status.observedGeneration()).isEqualTo(1);
    assertThat(status.observedReconcileRequest()).isEqualTo("token");
    assertThat(status.conditions())
        .extracting(c -> c.type() + c.status() + c.observedGeneration())
        .containsExactly("ReadyFalse1", "ReconcilingTrue1");
    assertThat(status.lastUpdate().state()).isEqualTo("failed");
    assertThat(status.lastUpdate().failures()).isEqualTo(1);
    assertThat(status.lastUpdate().message()).isEqualTo("up failed: short");
    assertThat(status.retry().failures()).isEqualTo(1);
    assertThat(status.retry().sequence()).isEqualTo(1);
    assertThat(status.retry().last().reason()).isEqualTo("UpdateFailed");
    assertThat(status.retry().policy()).isEqualTo("60s..86400s");
    assertThat(status.retry().nextAttemptTime()).isEqualTo(NOW.plusSeconds(60));
    assertThat(status.retry().nextWakeTime()).isEqualTo(NOW.plusSeconds(3600));
  }

  @Test
  void aConditionThatStaysKeepsItsTransitionTimeAndOneThatEndsIsRemoved() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    report.report(failed(stack, 1));
    now.set(NOW.plus(Duration.ofMinutes(5)));
    report.report(failed(stack, 2));
    assertThat(status(stack).conditions())
        .allSatisfy(c -> assertThat(c.lastTransitionTime()).isEqualTo(NOW));
    report.report(input(stack, List.of(READY), state(3, Outcome.SUCCEEDED, "web-2")));
    assertThat(status(stack).conditions())
        .singleElement()
        .satisfies(c -> assertThat(c.status()).isEqualTo("True"))
        .satisfies(c -> assertThat(c.lastTransitionTime()).isEqualTo(now.get()));
  }

  @Test
  void emptyConditionsLeaveThoseShown() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    report.report(failed(stack, 1));
    report.report(
        new ReportInput(
            stack,
            new Looked(1, "token"),
            0,
            "",
            List.of(),
            state(2, Outcome.OPERATION_FAILED, "web-1"),
            "paused",
            "60s..300s",
            NOW,
            Instant.EPOCH,
            List.of()));
    StackStatus status = status(stack);
    assertThat(status.conditions()).hasSize(2);
    assertThat(status.observedGeneration()).isEqualTo(1);
    assertThat(status.retry().paused()).isTrue();
    assertThat(status.retry().nextWakeTime()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void anOlderReportIsDroppedAndSoIsOneForAnotherStack() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    report.report(failed(stack, 5));
    assertThat(report.report(failed(stack, 4)).written()).isFalse();
    assertThat(report.report(failed(stack, 5)).written()).isTrue();
    assertThat(report.report(failed(new StackRef("apps", "web", "other"), 9)).written()).isFalse();
    assertThat(status(stack).retry().sequence()).isEqualTo(5);
    cluster.named(stack).delete();
    assertThat(report.report(failed(stack, 6)).written()).isFalse();
  }

  @Test
  void outputsAndTheFullTextComeFromTheSecretsWithSecretsMasked() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    result(
        stack, "web-1", Outcome.SUCCEEDED, Map.of("url", "\"http://x\"", "pw", '"' + CANARY + '"'));
    report.report(input(stack, List.of(READY), state(1, Outcome.SUCCEEDED, "web-1")));
    assertThat(status(stack).outputs().toString()).contains("http://x").contains("[secret]");
    assertThat(cluster.get(stack).toString()).doesNotContain(CANARY);
    assertThat(status(stack).projectInfo().name()).isEqualTo("shop");

    result(stack, "web-2", Outcome.OPERATION_FAILED, Map.of());
    report.report(failed(stack, 2, "web-2"));
    assertThat(status(stack).lastUpdate().message()).isEqualTo("the whole text");
    assertThat(status(stack).outputs()).containsKey("url");
    report.report(failed(stack, 3, "web-2"));
    assertThat(status(stack).lastUpdate().message()).isEqualTo("the whole text");
    assertThat(status(stack).projectInfo().name()).isEqualTo("shop");
  }

  @Test
  void onlyTheResultsOfTheLastSuccessAndTheLastAttemptAreKept() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    result(stack, "web-1", Outcome.SUCCEEDED, Map.of());
    result(stack, "web-2", Outcome.SUCCEEDED, Map.of());
    result(stack, "web-3", Outcome.OPERATION_FAILED, Map.of());
    result(stack, "web-4", Outcome.OPERATION_FAILED, Map.of());
    result(new StackRef("apps", "web", "another"), "web-0", Outcome.SUCCEEDED, Map.of());
    report.report(failed(stack, 1, "web-4"));
    assertThat(cluster.client.secrets().inNamespace("apps").list().getItems())
        .extracting(s -> s.getMetadata().getName())
        .containsExactlyInAnyOrder(
            "web-2-stack-outputs", "web-4-stack-outputs", "web-0-stack-outputs");
  }

  @Test
  void outputsTooLargeToBeShownAreNamedOnly() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    result(
        stack, "web-1", Outcome.SUCCEEDED, Map.of("a", '"' + "x".repeat(200_000) + '"', "b", "1"));
    report.report(input(stack, List.of(READY), state(1, Outcome.SUCCEEDED, "web-1")));
    assertThat(status(stack).outputs().toString())
        .contains("see Secret web-1-stack-outputs")
        .contains("b=1")
        .hasSizeLessThan(1_000);
  }

  @Test
  void withoutAPlaceInTheDefinitionTheRecordGoesIntoAnAnnotation() {
    cluster.close();
    cluster = Cluster.bare();
    cluster.client.resource(withoutRetry()).create();
    report = reporting();
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    assertThat(report.report(failed(stack, 1)).written()).isTrue();
    assertThat(report.report(failed(stack, 2)).written()).isTrue();
    assertThat(cluster.get(stack).getMetadata().getAnnotations())
        .containsKey("reprise.dev/retry-state");
    assertThat(status(stack).retry().sequence()).isEqualTo(2);
    assertThat(status(stack).conditions()).hasSize(2);
    // The second report remembered: one refused apply, then one apply each.
    assertThat(cluster.server.requests().count("patch", "stacks.pulumi.com/status")).isEqualTo(3);
  }

  @Test
  void whatTheOtherOperatorWroteIsTakenOverAndItsCurrentUpdateLeftAlone() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.patchStatus(
        stack, "{\"status\":{\"currentUpdate\":{\"name\":\"web-0\",\"generation\":1}}}");
    report.report(failed(stack, 1));
    assertThat(status(stack).currentUpdate().name()).isEqualTo("web-0");
  }

  @Test
  void eventsNameTheStackAndAFailureToEmitIsNotFatal() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    ReportInput with =
        new ReportInput(
            stack,
            new Looked(1, "token"),
            1,
            "",
            List.of(READY),
            StackState.EMPTY.reported(1),
            "",
            "",
            Instant.EPOCH,
            NOW,
            List.of(new StackEvent(true, "StackUpdateFailure", "up failed")));
    report.report(with);
    assertThat(cluster.client.v1().events().inNamespace("apps").list().getItems())
        .singleElement()
        .satisfies(e -> assertThat(e.getInvolvedObject().getUid()).isEqualTo(stack.uid()))
        .satisfies(e -> assertThat(e.getType()).isEqualTo("Warning"));
    cluster.server.faults().answer(5, r -> r.is("create", "events"), 403);
    assertThat(report.report(with).written()).isTrue();
  }

  private ReportStatus reporting() {
    return new ReportStatus(StackObjects.limited(cluster.client), "c1", now::get);
  }

  private StackStatus status(StackRef stack) {
    return StackReader.status(cluster.get(stack));
  }

  private static ReportInput failed(StackRef stack, long sequence) {
    return failed(stack, sequence, "web-1");
  }

  private static ReportInput failed(StackRef stack, long sequence, String update) {
    return input(
        stack, List.of(NOT_READY, RECONCILING), state(sequence, Outcome.OPERATION_FAILED, update));
  }

  private static ReportInput input(StackRef stack, List<Condition> conditions, StackState state) {
    return new ReportInput(
        stack,
        new Looked(1, "token"),
        1,
        "token",
        conditions,
        state,
        "",
        "60s..86400s",
        NOW.plusSeconds(60),
        NOW.plusSeconds(3600),
        List.of());
  }

  private static StackState state(long sequence, Outcome outcome, String update) {
    boolean succeeded = outcome == Outcome.SUCCEEDED;
    String message = succeeded ? "" : "up failed: short";
    return new StackState(
        succeeded ? 0 : 1,
        1,
        0,
        1,
        true,
        new LastAttempt(OperationKind.UP, 1, false, "token", "", "", "", outcome, message, NOW),
        new LastUpdate(update, OperationKind.UP, 1, "token", succeeded, message, "", "", "", NOW),
        "",
        PendingRetry.NONE,
        Underway.NONE,
        sequence);
  }

  private void result(StackRef stack, String update, Outcome outcome, Map<String, String> data) {
    Secret secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace("apps")
            .withName(ResultSecret.name(update))
            .addToLabels(ResultSecret.STACK_UID, stack.uid())
            .addToAnnotations(ResultSecret.OUTCOME, outcome.name())
            .addToAnnotations(ResultSecret.KIND, "up")
            .addToAnnotations(ResultSecret.SECRET_KEYS, "[\"pw\"]")
            .addToAnnotations(
                ResultSecret.MESSAGE, outcome == Outcome.SUCCEEDED ? "" : "the whole text")
            .addToAnnotations(
                ResultSecret.PROJECT,
                outcome == Outcome.SUCCEEDED ? "{\"name\":\"shop\",\"runtime\":\"yaml\"}" : "")
            .endMetadata()
            .withStringData(data)
            .build();
    cluster.client.resource(secret).create();
  }

  private static CustomResourceDefinition withoutRetry() {
    CustomResourceDefinition definition = Crds.stack();
    for (CustomResourceDefinitionVersion version : definition.getSpec().getVersions()) {
      Map<String, JSONSchemaProps> fields =
          version.getSchema().getOpenAPIV3Schema().getProperties();
      fields.getOrDefault("status", new JSONSchemaProps()).getProperties().remove("retry");
    }
    return definition;
  }
}
