package dev.reprise.workflows.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CooldownTest {

  @ParameterizedTest(name = "{0} failures, cap {2} s, wait {3} s")
  @CsvSource({
    "0, 60, 86400, 0",
    "1, 60, 86400, 60",
    "2, 60, 86400, 120",
    "3, 60, 86400, 240",
    "4, 60, 86400, 480",
    "5, 60, 86400, 960",
    "6, 60, 86400, 1920",
    "7, 60, 86400, 3840",
    "8, 60, 86400, 7680",
    "9, 60, 86400, 15360",
    "10, 60, 86400, 30720",
    "11, 60, 86400, 61440",
    "12, 60, 86400, 86400",
    "13, 60, 86400, 86400",
    "0, 60, 300, 0",
    "1, 60, 300, 60",
    "2, 60, 300, 120",
    "3, 60, 300, 240",
    "4, 60, 300, 300",
    "5, 60, 300, 300",
    "13, 60, 300, 300",
    "0, 60, 60, 0",
    "1, 60, 60, 60",
    "2, 60, 60, 60",
    "13, 60, 60, 60",
    "1, 120, 60, 60",
    "2147483647, 60, 86400, 86400",
    "1, 1, 86400, 1",
    "17, 1, 86400, 65536",
    "18, 1, 86400, 86400",
  })
  void doublesFromTheInitialBackoffUpToTheCap(int failures, long initial, long cap, long wait) {
    RetryPolicy policy =
        new RetryPolicy(Duration.ofSeconds(initial), Duration.ofSeconds(cap), 0, 0);

    assertThat(Cooldown.after(failures, policy)).isEqualTo(Duration.ofSeconds(wait));
  }

  @Test
  void anUnreachableAgentIsTriedAfterOneTwoFourThenEveryFiveMinutes() {
    assertThat(waits(Outcome.UNREACHABLE, 6)).containsExactly(60L, 120L, 240L, 300L, 300L, 300L);
  }

  @Test
  void aConflictIsTriedFourTimesAfterFifteenSecondsThenEveryMinute() {
    assertThat(waits(Outcome.UPDATE_CONFLICT, 6)).containsExactly(15L, 15L, 15L, 15L, 60L, 60L);
  }

  @Test
  void aBusyAgentIsAskedAtOnceOnlyTheFirstTime() {
    assertThat(waits(Outcome.BUSY, 3)).containsExactly(0L, 15L, 15L);
  }

  @Test
  void aSourceIsTriedAfterHalfAMinuteDoublingToFiveMinutes() {
    assertThat(IntStream.rangeClosed(1, 6).mapToObj(Cooldown::ofSource).map(Duration::toSeconds))
        .containsExactly(30L, 60L, 120L, 240L, 300L, 300L);
    assertThat(waits(Outcome.SOURCE_UNAVAILABLE, 3)).containsExactly(30L, 60L, 120L);
  }

  @Test
  void anInterruptionWaitsOnlyFromTheThirdInARow() {
    assertThat(Cooldown.of(Outcome.INTERRUPTED, 2, 0, RetryPolicy.DEFAULT)).isZero();
    assertThat(Cooldown.of(Outcome.INTERRUPTED, 3, 1, RetryPolicy.DEFAULT)).hasMinutes(1);
    assertThat(Cooldown.of(Outcome.INTERRUPTED, 4, 2, RetryPolicy.DEFAULT)).hasMinutes(2);
  }

  @Test
  void aCancelledFirstAttemptIsNotStartedAgainAtOnce() {
    assertThat(Cooldown.of(Outcome.CANCELLED, 1, 0, RetryPolicy.DEFAULT)).hasMinutes(1);
    assertThat(Cooldown.of(Outcome.CANCELLED, 1, 3, RetryPolicy.DEFAULT)).hasMinutes(4);
  }

  @Test
  void aDoubledWaitJustBelowTheLongestIsNotRoundedUpToIt() {
    RetryPolicy odd = new RetryPolicy(Duration.ofMillis(500), Duration.ofMillis(1_001), 0, 0);

    assertThat(Cooldown.after(2, odd)).hasMillis(1_000);
    assertThat(Cooldown.after(3, odd)).hasMillis(1_001);
  }

  @Test
  void withoutAFailureThereIsNoCooldown() {
    assertThat(Cooldown.after(0, RetryPolicy.DEFAULT)).isZero();
  }

  private static List<Long> waits(Outcome outcome, int upTo) {
    return IntStream.rangeClosed(1, upTo)
        .mapToObj(row -> Cooldown.of(outcome, row, 0, RetryPolicy.DEFAULT).toSeconds())
        .toList();
  }
}
