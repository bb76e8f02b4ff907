package dev.reprise.workflows.workflow;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The small table a person finds under "Current Details" in the Web UI. */
final class RunDetails {
  private RunDetails() {}

  static String of(StackView view) {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    row(text, "Stack", view.stack());
    row(text, "Generation", Long.toString(view.generation()));
    row(text, "Phase", view.phase());
    row(text, "Attempt", Integer.toString(view.attempt()));
    row(text, "Failures in a row", Integer.toString(view.failures()));
    row(text, "Last result", view.lastResult());
    row(text, "What is going on", view.message());
    row(text, "Next attempt", view.nextAttempt());
    return text.append("\nRetry now: *Send a Signal* → `retryNow` (no input needed).").toString();
  }

  /** A duration as people write it: {@code 8m}, {@code 17h4m}, {@code 45s}. */
  static String text(Duration duration) {
    Duration whole = duration.plusMillis(500).truncatedTo(ChronoUnit.SECONDS);
    return whole.isZero() ? "0s" : whole.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  private static void row(StringBuilder text, String name, String value) {
    if (!value.isEmpty()) {
      text.append("| **").append(name).append("** | ");
      text.append(value.replace("\n", " ").replace("|", "\\|")).append(" |\n");
    }
  }
}
