package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackTableTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    List<String> lines =
        StackTable.lines(
            List.of(
                Rows.ready("default/site"), Rows.failing("default/broken", 3, NOW.plusSeconds(8))),
            NOW);

    assertThat(lines)
        .containsExactly(
            "STACK           PHASE        GEN  ATTEMPT  FAILURES  NEXT ATTEMPT  MESSAGE",
            "default/site    Ready        1    1        0         -             up to date",
            "default/broken  CoolingDown  2    3        3         in 8s         no such region");
  }

  @Test
  void whatIsNotKnownYetIsADash() {
    assertThat(StackTable.lines(List.of(Rows.stalled("a/b")), NOW).getLast())
        .contains("Stalled  1    -");
  }

  @ParameterizedTest
  @CsvSource({
    "PT-3S, now",
    "PT0S, now",
    "PT0.001S, in 1s",
    "PT59S, in 59s",
    "PT1M, in 1m 0s",
    "PT2M8S, in 2m 8s",
    "PT17H4M, in 17h 4m",
    "PT24H, in 24h 0m"
  })
  void waitsAreShownAsPeopleSayThem(Duration left, String text) {
    assertThat(StackTable.in(left)).isEqualTo(text);
  }
}
