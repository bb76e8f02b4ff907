package dev.reprise.activities.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.Spread;
import dev.reprise.workflows.decision.StackDecider;
import dev.reprise.workflows.decision.WaitingFor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObserveStatusTest extends ObserveFixture {

  @Test
  void whatItWaitsForIsSeenAndADeletionWaitsForNothing() {
    StackRef stack =
        cluster.stack(
            "web",
            Map.of("stack", "dev", "prerequisites", List.of(Map.of("name", "missing"))),
            Map.of("pulumi.com/reconciliation-request", "x"));
    assertThat(observe.observe(stack).waitingFor())
        .isEqualTo(WaitingFor.of(List.of("prerequisite missing does not exist")));

    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"finalizer.stack.pulumi.com\"]}}");
    cluster.named(stack).delete();
    assertThat(observe.observe(stack).deleting()).isTrue();
    assertThat(observe.observe(stack).waitingFor()).isEqualTo(WaitingFor.NOTHING);
  }

  @Test
  void aDestroyThatIsAskedForByTypeWaitsForNothing() {
    StackRef stack =
        cluster.stack(
            "web",
            Map.of(
                "stack",
                "dev",
                "prerequisites",
                List.of(Map.of("name", "missing")),
                "updateTemplate",
                Map.of("spec", Map.of("type", "destroy"))));

    assertThat(observe.observe(stack).waitingFor()).isEqualTo(WaitingFor.NOTHING);
  }

  @Test
  void theReasonOfItsTokenIsSeen() {
    StackRef stack =
        cluster.stack(
            "web",
            Map.of("stack", "dev"),
            Map.of(
                "pulumi.com/reconciliation-request",
                "after-web-1",
                "reprise.dev/reconciliation-reason",
                "after-web-1: apps/x waits for it"));

    assertThat(observe.observe(stack).reconcileReason()).isEqualTo("apps/x waits for it");
  }

  @Test
  void theAnnotationPausesWithItsReason() {
    assertThat(paused("true")).isEqualTo("paused by annotation");
    assertThat(paused("db upgrade")).isEqualTo("db upgrade");
    assertThat(paused("false")).isEmpty();
    assertThat(paused("")).isEmpty();
  }

  @Test
  void aStackTakenOverIsSeededFromTheOtherOperatorsFields() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    update(stack, 1, "failed", "2026-11-30T23:30:00Z");
    Observation seen = observe.observe(stack);
    assertThat(seen.upMayHaveStarted()).isTrue();
    assertThat(seen.shownSequence()).isZero();
    assertThat(seen.seed().failures()).isEqualTo(1);
    assertThat(seen.seed().last().outcome()).isEqualTo(Outcome.OPERATION_FAILED);
    assertThat(seen.seed().last().endTime()).isEqualTo(Instant.parse("2026-11-30T23:30:00Z"));
    assertThat(seen.seed().last().inputs()).isEmpty();
    update(stack, 1, "succeeded", "2026-11-30T23:30:00Z");
    assertThat(observe.observe(stack).seed().failures()).isZero();
    assertThat(observe.observe(stack).seed().last().succeeded()).isTrue();
  }

  @Test
  void aStackTakenOverIsInSyncOrGoesOnWaitingWhereItWas() {
    String commit = "0123456789abcdef0123456789abcdef01234567";
    StackRef stack =
        cluster.stack(
            "web",
            Map.of(
                "stack", "dev", "projectRepo", "https://git.example.com/a.git", "commit", commit));
    operatorsUpdate(stack, 1, commit, "succeeded", 0);
    assertThat(decision(stack)).isInstanceOf(Decision.InSync.class);

    operatorsUpdate(stack, 1, commit, "failed", 0);
    assertThat(observe.observe(stack).seed().failures()).isEqualTo(1);
    assertThat(decision(stack))
        .isEqualTo(new Decision.CoolingDown(Instant.parse("2026-12-01T00:00:30Z")));
    operatorsUpdate(stack, 1, commit, "failed", 3);
    assertThat(observe.observe(stack).seed().failures()).isEqualTo(3);
    assertThat(decision(stack))
        .isEqualTo(new Decision.CoolingDown(Instant.parse("2026-12-01T00:03:30Z")));

    operatorsUpdate(stack, 1, "f".repeat(40), "succeeded", 0);
    assertThat(decision(stack)).isInstanceOf(Decision.Run.class);
  }

  private Decision decision(StackRef stack) {
    Observation seen = observe.observe(stack);
    return StackDecider.decide(seen, seen.seed(), NOW, Spread.of(stack.uid()));
  }

  /** Half a minute ago. */
  private void operatorsUpdate(
      StackRef stack, long generation, String commit, String state, int failures) {
    cluster.patchStatus(
        stack,
        ("{\"status\":{\"observedGeneration\":%d,\"lastUpdate\":{\"name\":\"web-18f0a1b2c3d\","
                + "\"type\":\"up\",\"generation\":%d,\"state\":\"%s\",\"failures\":%d,"
                + "\"lastAttemptedCommit\":\"%s\",\"lastSuccessfulCommit\":\"%s\","
                + "\"lastResyncTime\":\"2026-11-30T23:59:30Z\"}}}")
            .formatted(generation, generation, state, failures, commit, commit));
  }

  @Test
  void ourOwnRecordIsReadFromTheAnnotationWhereTheStatusHasNone() {
    StackRef stack =
        cluster.stack(
            "web",
            Map.of("stack", "dev"),
            Map.of(
                "reprise.dev/retry-state",
                "{\"failures\":4,\"attempt\":5,\"sequence\":17,\"hold\":\"wait\",\"last\":"
                    + "{\"kind\":\"up\",\"generation\":1,\"result\":\"failed\","
                    + "\"reason\":\"UpdateConflict\",\"endTime\":\"2026-11-30T23:30:00Z\"}}"));
    Observation seen = observe.observe(stack);
    assertThat(seen.shownSequence()).isEqualTo(17);
    assertThat(seen.seed().failures()).isEqualTo(4);
    assertThat(seen.seed().hold()).isEqualTo("wait");
    assertThat(seen.seed().last().outcome()).isEqualTo(Outcome.UPDATE_CONFLICT);
  }
}
