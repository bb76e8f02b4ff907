package dev.reprise.e2e.history;

import static org.awaitility.Awaitility.await;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the histories of a Stack's runs to where the replay tests of the workflow find them,
 * without what they tell about this machine.
 *
 * @param client of the server
 * @param server its name, the first part of the files' names
 * @param version of the product, which the folder is named after
 * @param machine a folder of this machine that the histories may name
 */
record HistoryKeeper(WorkflowClient client, String server, String version, Path machine) {
  private static final Path HISTORIES =
      Path.of("..", "workflows", "src", "test", "resources", "histories");
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Pattern PROCESS = Pattern.compile("\\d+@[\\w.-]+");
  private static final Pattern DATA = Pattern.compile("\"data\": ?\"([\\w+/=]+)\"");

  /**
   * Keeps what a Stack's runs did so far.
   *
   * @param scenario what they show, in one camel-case word
   * @param stack the Stack's name
   * @param runs how many there are
   */
  void keep(String scenario, String stack, int runs) {
    List<WorkflowExecutionMetadata> found =
        await(runs + " runs of " + stack)
            .atMost(LIMIT)
            .until(() -> runs(stack), executions -> executions.size() == runs);
    for (int i = 0; i < runs; i++) {
      String workflow = found.get(i).getExecution().getWorkflowId();
      String run = found.get(i).getExecution().getRunId();
      String json = client.fetchHistory(workflow, run).toJson(false);
      write("%s.%s-%d.json.gz".formatted(server, scenario, i + 1), scrubbed(json));
    }
  }

  private List<WorkflowExecutionMetadata> runs(String stack) {
    try (Stream<WorkflowExecutionMetadata> executions =
        client.listExecutions("StackName='default/" + stack + "'")) {
      return executions
          .sorted(Comparator.comparing(WorkflowExecutionMetadata::getStartTime))
          .toList();
    }
  }

  private String scrubbed(String json) {
    String payloads =
        DATA.matcher(json)
            .replaceAll(
                data -> {
                  String text = text(data.group(1));
                  String clean = anonymous(text);
                  return clean.equals(text)
                      ? data.group()
                      : "\"data\": \"" + Base64.getEncoder().encodeToString(bytes(clean)) + "\"";
                });
    return anonymous(payloads);
  }

  private String anonymous(String text) {
    return PROCESS
        .matcher(text.replace(machine.toAbsolutePath().toString(), "/srv/reprise"))
        .replaceAll("worker");
  }

  private static String text(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void write(String name, String json) {
    try {
      Path folder = Files.createDirectories(HISTORIES.resolve(version.replace("-SNAPSHOT", "")));
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
        out.write(bytes(json));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
