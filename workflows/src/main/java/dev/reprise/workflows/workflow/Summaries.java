package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.StackState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** What the Web UI's timeline says beside activities and timers, so that it reads as a story. */
final class Summaries {
  /** Temporal keeps 400 bytes of a summary, and a character may take four. */
  private static final int LONGEST = 100;

  private Summaries() {}

  static String operation(OperationKind kind, int attempt, long generation) {
    return "%s · attempt %d · generation %d".formatted(kind.word(), attempt, generation);
  }

  /** A cooldown tells what failed, because the operation's own bar can only say that it ended. */
  static String wait(Situation situation, StackState state, Instant until) {
    if (situation.phase() != Phase.COOLING_DOWN) {
      return situation.phase().word();
    }
    String why = state.last().message().replaceAll("\\s+", " ").strip();
    return cut(
        "cooldown %s after %s"
                .formatted(
                    duration(Duration.between(Waits.now(), until)),
                    state.failures() == 1 ? "1 failure" : state.failures() + " failures")
            + (why.isEmpty() ? "" : ": " + why));
  }

  static String report(ReportInput report) {
    String shown =
        report.conditions().isEmpty() ? "paused" : report.conditions().getLast().reason();
    return "status %d: %s".formatted(report.state().sequence(), shown);
  }

  /** A duration as people write it: {@code 8m}, {@code 17h4m}, {@code 45s}. */
  static String duration(Duration duration) {
    Duration whole = duration.plusMillis(500).truncatedTo(ChronoUnit.SECONDS);
    return whole.isZero() ? "0s" : whole.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST - 1)) + "…";
  }
}
