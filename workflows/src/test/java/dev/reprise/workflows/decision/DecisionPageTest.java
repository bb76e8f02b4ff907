package dev.reprise.workflows.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The documentation's tables say what the code does. */
class DecisionPageTest {
  private final List<String> page = page();

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void everyOutcomeHasItsRow(Outcome outcome) {
    assertThat(page)
        .contains(
            "| `%s` | %s | %s | `%s` |"
                .formatted(outcome, counted(outcome), next(outcome), outcome.reason()));
  }

  @Test
  void noRowTellsOfAnOutcomeThatDoesNotExist() {
    assertThat(page.stream().filter(line -> line.matches("\\| `[A-Z_]+` \\|.*")))
        .hasSize(Outcome.values().length);
  }

  @Test
  void theCooldownRowIsWhatTheFunctionGives() {
    List<String> waits =
        IntStream.rangeClosed(1, 12)
            .mapToObj(failures -> text(Cooldown.after(failures, RetryPolicy.DEFAULT)))
            .toList();

    assertThat(page).contains("| wait | " + String.join(" | ", waits) + " |");
    assertThat(Cooldown.after(13, RetryPolicy.DEFAULT)).isEqualTo(Duration.ofDays(1));
  }

  private static String counted(Outcome outcome) {
    return switch (outcome.count()) {
      case RESET -> "resets";
      case COUNT -> "yes";
      case KEEP -> "no";
      case FROM_THIRD -> "from the third in a row";
    };
  }

  private static String next(Outcome outcome) {
    String text =
        switch (outcome.waiting()) {
          case NONE -> outcome == Outcome.SUCCEEDED ? "when something changes" : "at once";
          case COOLDOWN -> "after the cooldown";
          case AT_LEAST_FIRST_COOLDOWN -> "after the cooldown of at least one failure";
          case MINUTES -> "after 1, 2, 4, then every 5 minutes";
          case CONFLICT -> "after 15 seconds four times, then every minute";
          case BUSY -> "at once, then every 15 seconds";
          case SOURCE -> "after 30 seconds, doubling to 5 minutes";
          case SLOW_CHECK -> "looked at again every 5 minutes";
          case HOURLY -> "every hour";
        };
    return outcome.count() == Outcome.Count.FROM_THIRD
        ? text + "; when counted, after the cooldown"
        : text;
  }

  private static String text(Duration wait) {
    String hours = wait.toHours() > 0 ? wait.toHours() + " h" : "";
    String minutes = wait.toMinutesPart() > 0 ? wait.toMinutesPart() + " m" : "";
    return (hours + " " + minutes).strip();
  }

  private static List<String> page() {
    try {
      return Files.readAllLines(Path.of("..", "docs", "decisions.md"));
    } catch (IOException e) {
      throw new IllegalStateException("the page is part of the repository", e);
    }
  }
}
