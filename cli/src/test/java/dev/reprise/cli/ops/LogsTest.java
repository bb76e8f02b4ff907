package dev.reprise.cli.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogsTest {
  private static final Map<String, String> RUN =
      Map.of(
          "stack", "apps/web",
          "generation", "7",
          "attempt", "4",
          "WorkflowId", "stack/apps/web/u",
          "RunId", "r1");

  private final LoggerContext context = new LoggerContext();
  private final LogbackMDCAdapter fields = new LogbackMDCAdapter();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Logger log = context.getLogger("dev.reprise.some.Thing");

  @BeforeEach
  void withFields() {
    context.setMDCAdapter(fields);
  }

  @Test
  void aJsonLineTellsStackGenerationAttemptWorkflowAndRun() {
    new Logs(context, LogFormat.JSON).to(out);
    fields.setContextMap(RUN);
    log.warn("it \"broke\" {}\nbadly", "twice", new IllegalStateException("why"));
    fields.clear();
    log.info("about no Stack");

    JsonNode line = JsonMapper.shared().readTree(lines().getFirst());
    assertThat(lines()).hasSize(2);
    assertThat(line.get("level").asString()).isEqualTo("WARN");
    assertThat(line.get("loggerName").asString()).isEqualTo("dev.reprise.some.Thing");
    assertThat(line.get("formattedMessage").asString()).isEqualTo("it \"broke\" twice\nbadly");
    assertThat(line.get("throwable").get("message").asString()).isEqualTo("why");
    assertThat(line.get("timestamp").isNumber()).isTrue();
    RUN.forEach((key, value) -> assertThat(line.get("mdc").get(key).asString()).isEqualTo(value));
    assertThat(JsonMapper.shared().readTree(lines().getLast()).get("mdc")).isEmpty();
  }

  @Test
  void aTextLineEndsWithWhatItIsAbout() {
    new Logs(context, LogFormat.TEXT).to(out);
    fields.setContextMap(RUN);
    log.info("Running");
    fields.clear();
    log.info("idle");
    assertThat(lines().getFirst())
        .endsWith(
            "some.Thing - Running [stack=apps/web generation=7 attempt=4"
                + " workflow=stack/apps/web/u run=r1]");
    assertThat(lines().getLast()).endsWith("Thing - idle");
  }

  @Test
  void theLevelIsOursAlone() {
    Logs logs = new Logs(context, LogFormat.TEXT);
    logs.to(out);
    logs.level(Level.ERROR);
    log.warn("not shown");
    context.getLogger("io.temporal").warn("shown");
    assertThat(lines()).singleElement().asString().endsWith("shown");
  }

  @Test
  void aFileTakesThePlaceOfTheConsole(@TempDir Path folder) throws Exception {
    Logs logs = new Logs(context, LogFormat.JSON);
    logs.to(out);
    logs.to(folder.resolve("a.log"));
    log.info("hello");
    context.stop();
    assertThat(lines()).isEmpty();
    assertThat(Files.readString(folder.resolve("a.log"))).contains("\"hello\"");
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
