package dev.reprise.e2e.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * One row of the table of faults.
 *
 * @param fault what was done
 * @param times how often it was done
 * @param expected how many operations should have begun
 * @param seen how many began
 * @param overlapping operations that began while another one of the same Stack had not ended
 * @param lost requests that were never answered by a finished operation
 * @param recoveries from each fault to the next step that some operation made
 */
public record Report(
    String fault,
    int times,
    String expected,
    long seen,
    int overlapping,
    int lost,
    List<Duration> recoveries) {
  private static final String HEAD =
      """
      | fault | times | operations expected | seen | overlapping | lost requests | recovery, median and longest |
      |---|---|---|---|---|---|---|
      """;

  /** Appends the row to a file, and prints it. */
  public void write(Path file) {
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(file.toAbsolutePath().resolve("..").normalize());
        Files.writeString(file, HEAD);
      }
      Files.writeString(file, row() + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.out.println(row());
  }

  /** The row as Markdown. */
  String row() {
    return "| %s | %d | %s | %d | %d | %d | %s |"
        .formatted(fault, times, expected, seen, overlapping, lost, recovery());
  }

  private String recovery() {
    if (recoveries.isEmpty()) {
      return "-";
    }
    List<Duration> sorted = recoveries.stream().sorted().toList();
    return seconds(sorted.get(sorted.size() / 2)) + ", " + seconds(sorted.get(sorted.size() - 1));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
