package dev.reprise.activities.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.StackState;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields without effect are told once per generation. */
@Timeout(60)
class IgnoredFieldsTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final Condition READY =
      new Condition("Ready", true, "ProcessingCompleted", "up to date");

  private final Cluster cluster = Cluster.start();
  private final ReportStatus report =
      new ReportStatus(StackObjects.limited(cluster.client), "c1", () -> NOW);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theFirstReportOfAGenerationNamesThemAllInOneEventAndFurtherOnesAreSilent() {
    StackRef stack = ignored();
    report(stack, 1, 1);
    report(stack, 1, 2);
    assertThat(events())
        .singleElement()
        .satisfies(event -> assertThat(event.getType()).isEqualTo("Normal"))
        .satisfies(event -> assertThat(event.getCount()).isEqualTo(1))
        .satisfies(
            event ->
                assertThat(event.getMessage())
                    .isEqualTo(
                        "spec.retryOnUpdateConflict has no effect: an update conflict is always"
                            + " waited for and retried; spec.updateTemplate.spec.stackName has no"
                            + " effect: spec.stack names the stack"));

    cluster.patch(stack, "{\"spec\":{\"refresh\":true}}");
    report(stack, 2, 3);
    report(stack, 2, 4);
    assertThat(events()).singleElement().extracting(Event::getCount).isEqualTo(2);
  }

  @Test
  void aReportThatComesLateLeavesItToThatOfTheNewerGeneration() {
    StackRef stack = ignored();
    cluster.patch(stack, "{\"spec\":{\"refresh\":true}}");
    report(stack, 1, 1);
    assertThat(events()).isEmpty();
    report(stack, 2, 2);
    assertThat(events()).hasSize(1);
  }

  @Test
  void aStackTakenOverFromAnotherOperatorIsToldTheFirstTime() {
    StackRef stack = ignored();
    cluster.patchStatus(stack, "{\"status\":{\"observedGeneration\":1}}");
    report(stack, 1, 1);
    report(stack, 1, 2);
    assertThat(events()).hasSize(1);
  }

  @Test
  void aStackWithoutSuchFieldsIsLeftInPeace() {
    report(cluster.stack("web", Map.of("stack", "dev", "refresh", true)), 1, 1);
    assertThat(events()).isEmpty();
  }

  private StackRef ignored() {
    return cluster.stack(
        "web",
        Map.of(
            "stack",
            "dev",
            "retryOnUpdateConflict",
            true,
            "updateTemplate",
            Map.of("spec", Map.of("stackName", "other"))));
  }

  private void report(StackRef stack, long generation, long sequence) {
    ReportInput input =
        new ReportInput(
            stack,
            new Looked(generation, ""),
            generation,
            "",
            List.of(READY),
            StackState.EMPTY.reported(sequence),
            "",
            "",
            Instant.EPOCH,
            NOW,
            List.of());
    assertThat(report.report(input).written()).isTrue();
  }

  private List<Event> events() {
    return cluster.client.v1().events().inNamespace("apps").list().getItems().stream()
        .filter(event -> event.getReason().equals(IgnoredFields.REASON))
        .toList();
  }
}
