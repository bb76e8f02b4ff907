package dev.reprise.workflows.workflow;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.workflows.testing.Histories;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.WorkflowReplayer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What runs of earlier builds did follows from the code of this one. When it does not, runs that
 * are open during an upgrade would get stuck: take the change through {@code Workflow.getVersion},
 * or, if the version was never released, record its histories anew.
 */
class RecordedHistoriesTest {
  private static final Pattern DATA = Pattern.compile("\"data\": ?\"([\\w+/=]+)\"");

  @TestFactory
  Stream<DynamicTest> everyRecordedRunReplays() throws IOException {
    return Histories.all().stream().map(RecordedHistoriesTest::replays);
  }

  @Test
  void everyScenarioOfTheWorkflowTestsIsRecorded() throws IOException {
    List<String> names =
        Histories.all().stream().map(file -> file.getFileName().toString()).toList();

    assertThat(names)
        .anyMatch(name -> name.startsWith("RetryingTest."))
        .anyMatch(name -> name.startsWith("WakingTest."))
        .anyMatch(name -> name.startsWith("DeletingTest."))
        .anyMatch(name -> name.startsWith("SurvivingTest."));
  }

  @Test
  void runsOfTheProductOnRealServersAreRecorded() throws IOException {
    List<String> names =
        Histories.all().stream().map(file -> file.getFileName().toString()).toList();

    assertThat(names)
        .anyMatch(name -> name.startsWith("DevServer.cancelledRun-2"))
        .anyMatch(name -> name.startsWith("Server.cancelledRun-2"))
        .anyMatch(name -> name.startsWith("Server.newGeneration-2"));
  }

  @Test
  void noRecordingNamesTheMachineItWasMadeOn() throws IOException {
    for (Path file : Histories.all()) {
      String json = Histories.read(file).toJson(false);
      String payloads =
          DATA.matcher(json).results().map(data -> decoded(data.group(1))).collect(joining("\n"));

      assertThat(json + payloads)
          .as(file.toString())
          .doesNotContainPattern(Histories.PROCESS)
          .doesNotContain("/tmp/", "/root/", "/home/");
    }
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  @Test
  void aRunThatDidSomethingElseIsFoundOut() throws IOException {
    Path file =
        Histories.all().stream()
            .filter(any -> any.toString().contains("RetryingTest."))
            .findFirst()
            .orElseThrow();
    String other = Histories.read(file).toJson(false).replace("EnsureWorkspace", "MakeWorkspace");
    WorkflowExecutionHistory history = WorkflowExecutionHistory.fromJson(other);

    assertThatThrownBy(
            () -> WorkflowReplayer.replayWorkflowExecution(history, StackWorkflowImpl.class))
        .hasStackTraceContaining("EnsureWorkspace");
  }

  private static DynamicTest replays(Path file) {
    return DynamicTest.dynamicTest(
        file.getName(file.getNameCount() - 2) + " " + file.getFileName(),
        () ->
            WorkflowReplayer.replayWorkflowExecution(
                Histories.read(file), StackWorkflowImpl.class));
  }
}
