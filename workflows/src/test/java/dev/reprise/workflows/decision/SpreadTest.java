package dev.reprise.workflows.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SpreadTest {
  private static final Instant END = Instant.parse("2026-12-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void aThousandStacksMadeOneAfterTheOtherShareTheSpreadEvenly() {
    for (List<String> uids : List.of(consecutive(true), consecutive(false))) {
      int[] tenths = new int[10];
      for (String uid : uids) {
        long late = Duration.between(END.plus(HOUR), Spread.of(uid).resync(END, HOUR)).toMillis();
        tenths[(int) (late * 10 / (HOUR.toMillis() / 10))]++;
      }
      // 100 each on average; with a fair draw one beyond these bounds comes once in ten thousand.
      for (int count : tenths) {
        assertThat(count).isBetween(60, 140);
      }
    }
  }

  /** Differing in the last digits, as one writer makes them, or in the first. */
  private static List<String> consecutive(boolean low) {
    List<String> uids = new ArrayList<>();
    for (long i = 0; i < 1_000; i++) {
      uids.add(new UUID(low ? 0x8c5d_71a2_4f0bL : i << 48, low ? i : 7).toString());
    }
    return uids;
  }

  @Test
  void aResyncNeverComesBeforeItsPeriodAndAtMostATenthLater() {
    for (Duration period : List.of(Duration.ofMinutes(1), HOUR, Duration.ofDays(365))) {
      assertThat(new Spread(0).resync(END, period)).isEqualTo(END.plus(period));
      assertThat(new Spread(Spread.PLACES - 1).resync(END, period))
          .isBetween(
              END.plus(period).plus(period.dividedBy(11)),
              END.plus(period).plus(period.dividedBy(10)));
    }
  }

  @Test
  void anIdleRunLooksInTheLastHourOfADay() {
    assertThat(new Spread(0).idle(END)).isEqualTo(END.plus(Duration.ofHours(24)));
    assertThat(new Spread(Spread.PLACES - 1).idle(END))
        .isBetween(END.plus(Duration.ofHours(23)), END.plus(Duration.ofHours(23)).plusSeconds(1));
  }

  /**
   * Timers of sleeping runs follow from it. The values are FNV-1a with the finish of MurmurHash3,
   * reckoned by another program.
   */
  @Test
  void aStackKeepsItsPlaceInEveryBuild() {
    assertThat(Spread.of("2f1c0a3e-0000-4000-8000-000000000001")).isEqualTo(new Spread(66244));
    assertThat(Spread.of("2f1c0a3e-0000-4000-8000-000000000002")).isEqualTo(new Spread(207715));
    assertThat(Spread.of("")).isEqualTo(new Spread(962726));
  }
}
