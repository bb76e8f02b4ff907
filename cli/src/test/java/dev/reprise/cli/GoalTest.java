package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {
  private static final Instant NEXT = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void settledMeansReadyOrStalledOrThreeFailuresInARow() {
    List<StackRow> settled =
        List.of(Rows.ready("a"), Rows.stalled("b"), Rows.failing("c", 3, NEXT));

    assertThat(Goal.SETTLED.reached(settled)).isTrue();
    assertThat(Goal.SETTLED.reached(List.of(Rows.ready("a"), Rows.running("b")))).isFalse();
    assertThat(Goal.SETTLED.reached(List.of(Rows.failing("c", 2, NEXT)))).isFalse();
  }

  @Test
  void readyMeansEveryStack() {
    assertThat(Goal.READY.reached(List.of(Rows.ready("a"), Rows.ready("b")))).isTrue();
    assertThat(Goal.READY.reached(List.of(Rows.ready("a"), Rows.stalled("b")))).isFalse();
  }

  @Test
  void neverIsNever() {
    assertThat(Goal.NEVER.reached(List.of(Rows.ready("a")))).isFalse();
  }
}
