package dev.reprise.workflows.workflow;

/** The small table a person finds under "Current Details" in the Web UI. */
final class RunDetails {
  private static final String ACTIONS =
      "More Actions → *Send a Signal*: `retryNow` ends the wait, `hold` and `resume` pause it,"
          + " `cancelOperation` ends what runs";

  /** The Web UI breaks the lines of a first column early, and cuts off what then has no room. */
  private static final char NO_BREAK = '\u00a0';

  private RunDetails() {}

  static String of(StackView view) {
    StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
    row(text, "Phase", view.phase());
    row(text, "What is going on", view.message());
    row(text, "Next attempt", view.nextAttempt());
    row(text, "Failures in a row", Integer.toString(view.failures()));
    row(text, "Attempt", Integer.toString(view.attempt()));
    row(text, "Last result", view.lastResult());
    row(text, "Stack", view.stack() + ", generation " + view.generation());
    // A row of its own: what stands below the table is cut off in the Web UI.
    row(text, "To act", ACTIONS);
    // The Web UI cuts off some pixels at the end, which would be the last line of the last row.
    return text.append("| ").append(NO_BREAK).append(" | |\n").toString();
  }

  private static void row(StringBuilder text, String name, String value) {
    if (!value.isEmpty()) {
      text.append("| **").append(name.replace(' ', NO_BREAK)).append("** | ");
      text.append(value.replace("\n", " ").replace("|", "\\|")).append(" |\n");
    }
  }
}
