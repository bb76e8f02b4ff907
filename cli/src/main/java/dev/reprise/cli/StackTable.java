package dev.reprise.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays Stacks out in columns. */
final class StackTable {
  private static final List<String> HEAD =
      List.of("STACK", "PHASE", "GEN", "ATTEMPT", "FAILURES", "NEXT ATTEMPT", "MESSAGE");
  private static final String GAP = "  ";

  private StackTable() {}

  /** The lines of a table, its head first. */
  static List<String> lines(List<StackRow> rows, Instant now) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(HEAD);
    rows.forEach(row -> cells.add(cells(row, now)));
    int[] widths = new int[HEAD.size()];
    for (List<String> line : cells) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    return cells.stream().map(line -> join(line, widths)).toList();
  }

  private static List<String> cells(StackRow row, Instant now) {
    return List.of(
        row.name(),
        row.phase(),
        row.generation() == 0 ? "-" : Long.toString(row.generation()),
        row.attempt() == 0 ? "-" : Long.toString(row.attempt()),
        Long.toString(row.failures()),
        row.nextAttempt().map(next -> in(Duration.between(now, next))).orElse("-"),
        row.message());
  }

  private static String join(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      line.append(column == 0 ? "" : GAP);
      line.append(cells.get(column));
      line.append(" ".repeat(widths[column] - cells.get(column).length()));
    }
    return line.toString().stripTrailing();
  }

  /** {@code now}, {@code in 45s}, {@code in 1h 4m}. */
  static String in(Duration left) {
    if (left.isNegative() || left.isZero()) {
      return "now";
    }
    Duration whole = left.plusMillis(999);
    String text =
        whole.toHours() > 0
            ? "%dh %dm".formatted(whole.toHours(), whole.toMinutesPart())
            : whole.toMinutes() > 0
                ? "%dm %ds".formatted(whole.toMinutes(), whole.toSecondsPart())
                : whole.toSeconds() + "s";
    return String.format(Locale.ROOT, "in %s", text);
  }
}
