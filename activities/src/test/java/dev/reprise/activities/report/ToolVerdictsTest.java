package dev.reprise.activities.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.condition.ConditionSet;
import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.decision.StackState;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written on a Stack in each phase, as kstatus and Argo CD read it. */
@Timeout(120)
class ToolVerdictsTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  private static final List<Phase> BEFORE =
      List.of(Phase.IN_SYNC, Phase.COOLING_DOWN, Phase.STALLED, Phase.RUNNING);

  private final Cluster cluster = Cluster.start();
  private final ReportStatus report =
      new ReportStatus(StackObjects.limited(cluster.client), "c1", () -> NOW);
  private int names;
  private long sequence;

  @AfterEach
  void stop() {
    cluster.close();
  }

  @ParameterizedTest
  @EnumSource(value = Phase.class, mode = EnumSource.Mode.EXCLUDE, names = "PAUSED")
  void whateverWasShownBeforeTheToolsSayWhatThePageSays(Phase phase) throws IOException {
    Verdicts expected = page().getOrDefault(phase.word(), new Verdicts("", ""));
    for (Phase before : BEFORE) {
      for (long generation : List.of(1L, 2L)) {
        StackRef stack = stack();
        write(stack, 1, before);
        if (generation == 2) {
          edit(stack);
        }
        write(stack, generation, phase);

        GenericKubernetesResource written = cluster.get(stack);
        String what = "%s after %s, generation %d".formatted(phase, before, generation);
        assertThat(ToolVerdicts.kstatus(written)).as(what).isEqualTo(expected.kstatus());
        assertThat(ToolVerdicts.argo(written)).as(what).isEqualTo(expected.argo());
        assertThat(ToolVerdicts.argoByFirstCondition(written)).as(what).isEqualTo(expected.argo());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Phase.class)
  void whatIsShownOfAnOlderGenerationIsNeverTakenForTheNewOne(Phase phase) {
    for (Phase before : BEFORE) {
      StackRef stack = stack();
      write(stack, 1, before);
      edit(stack);
      write(stack, 1, phase);

      assertThat(ToolVerdicts.kstatus(cluster.get(stack))).isEqualTo("InProgress");
      assertThat(ToolVerdicts.argo(cluster.get(stack))).isEqualTo("Progressing");
    }
  }

  @Test
  void aPausedStackLooksAsBeforeAndAfterAnEditOfItsSpecInProgress() {
    Map<Phase, String> kstatus =
        Map.of(
            Phase.IN_SYNC, "Current",
            Phase.COOLING_DOWN, "InProgress",
            Phase.STALLED, "Failed",
            Phase.RUNNING, "InProgress");
    for (Phase before : BEFORE) {
      StackRef stack = stack();
      write(stack, 1, before);
      write(stack, 1, Phase.PAUSED);
      assertThat(ToolVerdicts.kstatus(cluster.get(stack))).isEqualTo(kstatus.get(before));

      edit(stack);
      write(stack, 2, Phase.PAUSED);
      assertThat(ToolVerdicts.kstatus(cluster.get(stack))).isEqualTo("InProgress");
      assertThat(ToolVerdicts.argo(cluster.get(stack))).isEqualTo("Progressing");
    }
  }

  @Test
  void aStackPausedBeforeItEverRanIsNotTakenForReady() {
    StackRef stack = stack();
    write(stack, 1, Phase.PAUSED);

    assertThat(ToolVerdicts.kstatus(cluster.get(stack))).isEqualTo("InProgress");
    assertThat(ToolVerdicts.argo(cluster.get(stack))).isEqualTo("Progressing");
    assertThat(ToolVerdicts.argoByFirstCondition(cluster.get(stack))).isEqualTo("Progressing");
    write(stack, 1, Phase.IN_SYNC);
    assertThat(ToolVerdicts.kstatus(cluster.get(stack))).isEqualTo("Current");
  }

  @Test
  void thePageHasARowForEveryPhase() throws IOException {
    assertThat(page().keySet())
        .containsExactlyInAnyOrderElementsOf(
            List.of(Phase.values()).stream().map(Phase::word).toList());
  }

  private StackRef stack() {
    return cluster.stack("web-" + names++, Map.of("stack", "dev"));
  }

  private void edit(StackRef stack) {
    cluster.patch(stack, "{\"spec\":{\"refresh\":true}}");
    assertThat(cluster.get(stack).getMetadata().getGeneration()).isEqualTo(2);
  }

  private void write(StackRef stack, long generation, Phase phase) {
    boolean paused = phase == Phase.PAUSED;
    ReportInput input =
        new ReportInput(
            stack,
            new Looked(generation, ""),
            paused ? 0 : generation,
            "",
            ConditionSet.of(new Situation(phase, "Why", "because", "", Instant.EPOCH)),
            StackState.EMPTY.reported(++sequence),
            paused ? "audit" : "",
            "",
            Instant.EPOCH,
            NOW.plusSeconds(60),
            List.of());
    assertThat(report.report(input).written()).isTrue();
  }

  private record Verdicts(String kstatus, String argo) {}

  private static Map<String, Verdicts> page() throws IOException {
    Pattern row = Pattern.compile("\\| `([A-Z][a-z]\\w+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|");
    Map<String, Verdicts> verdicts = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "decisions.md"))) {
      var matcher = row.matcher(line);
      if (matcher.matches()) {
        verdicts.put(matcher.group(1), new Verdicts(matcher.group(3), matcher.group(4)));
      }
    }
    return verdicts;
  }
}
