package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One bad Stack is one clear line, and nothing to the others. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BadInputTest {
  private static final String LONG_NAME = "a".repeat(43);

  @TempDir Path folder;
  private Sandbox sandbox = new Sandbox(Path.of(""));

  @BeforeEach
  void open() {
    sandbox = new Sandbox(folder);
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void eachMistakeIsOneLineAndTheOthersGoOn() throws Exception {
    sandbox.program("stacks/ok/up", "echo fine\n");
    stack("good", "ok", "");
    stack("misspelt", "ok", "  destroyOnFinalise: true\n");
    stack(LONG_NAME, "ok", "");
    stack("homeless", "nowhere", "");
    stack(
        "unborn",
        "ok",
        "  envRefs: {JAVA_TOOL_OPTIONS: {type: Literal, literal: {value: -Xmx1x}}}\n");
    sandbox.write("stacks/unmarked/up", "#!/bin/sh\necho fine\n");
    stack("unmarked", "unmarked", "");
    sandbox.write(
        "stacks/broken.yaml", "apiVersion: pulumi.com/v1\nkind: Stack\nmetadata: {name: x\n");

    RepriseProcess dev = sandbox.start("dev", "--until", "settled", "stacks");

    assertThat(dev.awaitExit()).as(dev.output()).isEqualTo(ExitCode.FAILED);
    List<String> table = dev.output().lines().dropWhile(line -> !line.startsWith("STACK")).toList();
    assertThat(table).hasSize(6);
    assertThat(table).anyMatch(row -> row.matches("default/good +Ready .*"));
    assertThat(table).anyMatch(row -> row.matches("default/misspelt +Ready .*"));
    assertThat(table)
        .anyMatch(
            row ->
                row.matches("default/homeless +Stalled .*")
                    && row.contains("spec.workspaceTemplate.spec.local.dir")
                    && row.contains("stacks/nowhere")
                    && row.contains("create it or correct the path"));
    assertThat(table)
        .anyMatch(
            row ->
                row.matches("default/unborn .*")
                    && row.contains("the agent could not start")
                    && row.contains("Invalid maximum heap size: [secret]"));
    assertThat(table)
        .anyMatch(row -> row.matches("default/unmarked .*") && row.contains("run: chmod +x"));
    assertThat(dev.lines("broken.yaml:"))
        .singleElement()
        .asString()
        .doesNotContain("in reader")
        .containsPattern(
            "broken\\.yaml:[34]:\\d+: not valid YAML, correct it and save again: .*expected ',' or '}'.*$");
    assertThat(dev.lines("destroyOnFinalise"))
        .singleElement()
        .asString()
        .contains("misspelt.yaml:1: Stack misspelt: spec.destroyOnFinalise is not a known field");
    assertThat(dev.lines(LONG_NAME))
        .singleElement()
        .asString()
        .contains("not applied")
        .contains("no more than 42 characters");
    assertThat(sandbox.left()).isEmpty();
  }

  @Test
  void aFolderWithoutManifestsHasNothingToWaitFor() throws Exception {
    sandbox.write("empty/readme.txt", "nothing");

    RepriseProcess dev = sandbox.start("dev", "--until", "settled", "empty");

    assertThat(dev.awaitExit()).isEqualTo(ExitCode.FAILED);
    assertThat(dev.lines("reprise: "))
        .containsExactly("reprise: there is nothing to apply in empty");
  }

  private void stack(String name, String dir, String more) throws Exception {
    sandbox.write(
        "stacks/" + name + ".yaml",
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata: {name: %s}
        spec:
          stack: dev
          retry: {initialBackoffSeconds: 1}
          workspaceTemplate: {spec: {local: {dir: %s}}}
        """
                .formatted(name, dir)
            + more);
  }
}
