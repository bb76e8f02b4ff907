package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code reprise dev} on the quickstart, as a person uses it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class QuickstartTest {
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
  void settlesWithOneReadyOneReadyAfterTwoFailuresAndOneFailing() throws Exception {
    sandbox.quickstart();

    RepriseProcess dev = sandbox.start("dev", "--until", "settled", "quickstart");

    assertThat(dev.awaitExit()).as(dev.output()).isZero();
    List<String> table = dev.output().lines().dropWhile(line -> !line.startsWith("STACK")).toList();
    assertThat(table).hasSize(4);
    assertThat(table.get(1))
        .matches("default/broken +CoolingDown +1 +3 +3 +in \\d+s .*no such region.*");
    assertThat(table.get(2)).matches("default/flaky +Ready +1 +- +0 +- .*up to date");
    assertThat(table.get(3)).matches("default/site +Ready +1 +- +0 +- .*up to date");
    assertThat(dev.lines("default/flaky  CoolingDown  failures 2")).hasSize(1);
    assertThat(sandbox.left()).isEmpty();
    assertThat(sandbox.workspace("site").resolve("agent/stacks")).isDirectory();
  }

  @Test
  void followsEditsAndObeysCommands() throws Exception {
    Path quickstart = sandbox.quickstart();
    Path broken = quickstart.resolve("broken.yaml");
    // A cooldown that no command is too slow for.
    Files.writeString(broken, Files.readString(broken).replace("Seconds: 2", "Seconds: 300"));
    RepriseProcess dev = sandbox.start("dev", "quickstart");
    dev.awaitLine("default/site  Ready");
    dev.awaitLine("default/broken  CoolingDown  failures 1");

    assertThat(run("retry", "broken")).contains("default/broken: attempt 2 starts now");
    dev.awaitLine("default/broken  CoolingDown  failures 2");

    String up = Files.readString(quickstart.resolve("broken/up"));
    Files.writeString(quickstart.resolve("broken/up"), up.replace("eu-centrl-1", "eu-central-1"));
    dev.awaitLine("default/broken  Ready");

    assertThat(run("get", "broken")).containsPattern("default/broken +Ready +1 +- +0");

    Path page = sandbox.workspace("site");
    Files.delete(quickstart.resolve("site.yaml"));
    dev.awaitLine("deleted Stack site");
    dev.awaitLine("default/site  gone");
    assertThat(page).doesNotExist();

    RepriseProcess second = sandbox.start("dev", "quickstart");
    assertThat(second.awaitExit()).isEqualTo(ExitCode.FAILED);
    assertThat(second.output().lines())
        .singleElement()
        .asString()
        .startsWith("reprise: another reprise dev runs with the state folder");

    RepriseProcess unknown = sandbox.start("retry", "nobody");
    assertThat(unknown.awaitExit()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.output().strip())
        .isEqualTo("reprise: there is no Stack nobody in namespace default; see: reprise get");
  }

  @Test
  void endsAllItStartedOnCtrlC() throws Exception {
    slow("slow", 600);
    RepriseProcess dev = sandbox.start("dev", "manifests");
    dev.awaitLine("default/slow  Running", "stack is being processed");

    dev.signal("INT");

    assertThat(dev.awaitExit()).isEqualTo(130);
    assertThat(sandbox.left()).isEmpty();
    assertThat(folder.resolve(".reprise/dev.json")).doesNotExist();
  }

  @Test
  void givesUpWithTheTableWhenTheTimeoutPasses() throws Exception {
    Path quickstart = sandbox.quickstart();

    RepriseProcess dev =
        sandbox.start(
            "dev",
            "--until",
            "ready",
            "--timeout",
            "10s",
            quickstart.resolve("broken.yaml").toString());

    assertThat(dev.awaitExit()).isEqualTo(ExitCode.TIMED_OUT);
    assertThat(dev.output()).containsPattern("\ndefault/broken +(CoolingDown|Running) ");
    assertThat(dev.output())
        .endsWith("reprise: not reached within the timeout: every Stack READY\n");
    assertThat(sandbox.left()).isEmpty();
  }

  private String run(String... arguments) throws Exception {
    RepriseProcess command = sandbox.start(arguments);
    assertThat(command.awaitExit()).as(command.output()).isZero();
    return command.output();
  }

  private void slow(String name, int seconds) throws Exception {
    sandbox.program("manifests/" + name + "/up", "echo begun\nsleep " + seconds + "\n");
    sandbox.write(
        "manifests/" + name + ".yaml",
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata: {name: %s}
        spec:
          stack: dev
          workspaceTemplate: {spec: {local: {dir: %s}}}
        """
            .formatted(name, name));
  }
}
