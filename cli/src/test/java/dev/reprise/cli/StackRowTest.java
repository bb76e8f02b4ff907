package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackRowTest {
  private static final String HINT =
      "; to retry now: reprise retry, the signal retryNow, or annotation"
          + " pulumi.com/reconciliation-request";

  @Test
  void aStackNobodyHasLookedAtYetIsPending() {
    StackRow row = StackRow.of(stack("", ""));

    assertThat(row.name()).isEqualTo("default/site");
    assertThat(row.phase()).isEqualTo("Pending");
    assertThat(row.generation()).isZero();
    assertThat(row.message()).isEmpty();
    assertThat(row.ready() || row.stalled()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Ready, ProcessingCompleted, Ready",
    "Stalled, SpecInvalid, Stalled",
    "Reconciling, StackProcessing, Running",
    "Reconciling, PrerequisiteNotSatisfied, Waiting"
  })
  void theConditionThatIsTrueTellsThePhase(String type, String reason, String phase) {
    assertThat(StackRow.of(stack("", status(7, type, reason, ""))).phase()).isEqualTo(phase);
  }

  @Test
  void aConditionOfAnOlderGenerationIsNotBelieved() {
    assertThat(StackRow.of(stack("", status(7, "Ready", "", ""))).ready()).isTrue();
    assertThat(StackRow.of(stack("", status(6, "Ready", "", ""))).ready()).isFalse();
    assertThat(StackRow.of(stack("", status(7, "Stalled", "", ""))).stalled()).isTrue();
    assertThat(StackRow.of(stack("", status(6, "Stalled", "", ""))).stalled()).isFalse();
  }

  @Test
  void aCooldownShowsItsEndAndTheFailuresButNotTheAdvice() {
    String retry =
        """
        retry: {failures: 3, attempt: 4, nextAttemptTime: "2026-01-02T03:04:05Z"}
        """;

    StackRow row =
        StackRow.of(
            stack(
                "", status(7, "Reconciling", "RetryingAfterFailure", "up failed" + HINT) + retry));

    assertThat(row.phase()).isEqualTo("CoolingDown");
    assertThat(row.nextAttempt()).contains(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(row.failures()).isEqualTo(3);
    assertThat(row.attempt()).isEqualTo(4);
    assertThat(row.message()).isEqualTo("up failed");
  }

  @Test
  void pauseAndDeletionAreShownWhateverTheConditionsSay() {
    String ready = status(7, "Ready", "ProcessingCompleted", "");

    assertThat(StackRow.of(stack("", ready + "retry: {paused: true}")).phase()).isEqualTo("Paused");
    StackRow deleting = StackRow.of(stack("  deletionTimestamp: 2026-01-02T03:04:05Z\n", ready));
    assertThat(deleting.phase()).isEqualTo("Deleting");
    assertThat(deleting.ready()).isFalse();
  }

  @Test
  void aMessageOfManyLinesIsCutToItsFirst() {
    assertThat(StackRow.of(stack("", status(7, "Stalled", "", "one\\ntwo"))).message())
        .isEqualTo("one");
  }

  private static String status(long generation, String type, String reason, String message) {
    return """
        observedGeneration: %d
        conditions:
        - {type: "%s", status: "True", reason: "%s", message: "%s"}
        """
        .formatted(generation, type, reason, message);
  }

  private static GenericKubernetesResource stack(String metadata, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata:
          name: site
          namespace: default
          uid: 0b1c2d3e
          generation: 7
        """
            + metadata
            + (status.isEmpty() ? "" : "status:\n" + status.indent(2)),
        GenericKubernetesResource.class);
  }
}
