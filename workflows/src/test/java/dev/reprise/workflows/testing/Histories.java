package dev.reprise.workflows.testing;

import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Recorded histories, one folder per version: what runs of that version did, which every later
 * version has to be able to replay. Recorded only on purpose, with {@code mvn -Precord -pl
 * workflows test}; those whose names start with a server's are runs of the whole product on a real
 * server, recorded by the end-to-end tests.
 */
public final class Histories {
  private static final String RECORD = "reprise.test.record";
  private static final Path FOLDER = Path.of("src", "test", "resources", "histories");
  private static final String ENDING = ".json.gz";

  /** How a client of Temporal names itself. */
  public static final Pattern PROCESS = Pattern.compile("\\d+@[\\w.-]+");

  private Histories() {}

  /** All that were ever recorded and kept. */
  public static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
  }

  /** Reads one. */
  public static WorkflowExecutionHistory read(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return WorkflowExecutionHistory.fromJson(
          new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /**
   * Keeps the runs of a test if this is a recording; does nothing otherwise.
   *
   * @param name of the test
   * @param runs the last one first
   */
  static void record(String name, List<WorkflowExecutionHistory> runs) {
    String version = System.getProperty(RECORD, "");
    if (version.isEmpty()) {
      return;
    }
    try {
      Path folder = Files.createDirectories(FOLDER.resolve(version.replace("-SNAPSHOT", "")));
      for (int i = 0; i < runs.size(); i++) {
        Path file = folder.resolve("%s-%d%s".formatted(name, runs.size() - i, ENDING));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
          out.write(anonymous(runs.get(i).toJson(false)).getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Without the process and the machine that Temporal's clients call themselves by. */
  private static String anonymous(String json) {
    return PROCESS.matcher(json).replaceAll("worker");
  }
}
