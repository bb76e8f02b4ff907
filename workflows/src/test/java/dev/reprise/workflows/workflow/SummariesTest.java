package dev.reprise.workflows.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.testing.RunFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the Web UI's timeline says. */
class SummariesTest {
  @Test
  void aDurationReadsAsPeopleWriteIt() {
    assertThat(Summaries.duration(Duration.ofMinutes(8))).isEqualTo("8m");
    assertThat(Summaries.duration(Duration.ofMinutes(1024))).isEqualTo("17h4m");
    assertThat(Summaries.duration(Duration.ofMillis(44_600))).isEqualTo("45s");
    assertThat(Summaries.duration(Duration.ofMillis(300))).isEqualTo("0s");
  }

  @Test
  void aStatusWriteTellsWhatItShows() {
    assertThat(Summaries.report(report(List.of()))).isEqualTo("status 7: paused");
    assertThat(
            Summaries.report(
                report(
                    List.of(
                        new Condition("Ready", false, "NotReadyInProgress", ""),
                        new Condition("Reconciling", true, "RetryingAfterFailure", "")))))
        .isEqualTo("status 7: RetryingAfterFailure");
  }

  private static ReportInput report(List<Condition> conditions) {
    return new ReportInput(
        RunFixture.STACK,
        new Looked(1, ""),
        1,
        "",
        conditions,
        StackState.EMPTY.reported(7),
        "",
        "",
        Instant.EPOCH,
        Instant.EPOCH,
        List.of());
  }
}
