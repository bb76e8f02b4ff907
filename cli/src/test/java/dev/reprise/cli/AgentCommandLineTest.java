package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.workspace.AgentLauncher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AgentCommandLineTest {

  @Test
  void agentsEndFiveMinutesAfterTheirLastClientUnlessToldOtherwise() {
    assertThat(served(Map.of()).lossLimit).isEqualTo(Duration.ofMinutes(5));
    assertThat(served(Map.of(AgentCommandLine.ALONE_VARIABLE, "1m30s")).lossLimit)
        .isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void aLimitThatIsNoDurationNamesItsVariable() {
    assertThatThrownBy(() -> command(Map.of(AgentCommandLine.ALONE_VARIABLE, "soon")))
        .isInstanceOf(UserProblem.class)
        .hasMessage(
            "REPRISE_AGENT_END_WHEN_ALONE: 'soon' is no duration; write for example 90s or 5m");
  }

  @Test
  void anAgentStartedByAWorkerLeavesACancelledOperationTimeToFinishWhatItCreates() {
    AgentCommand.Serve serve = served(Map.of());

    assertThat(serve.grace).isEqualTo(AgentLauncher.CANCEL_GRACE).hasMinutes(10);
    assertThat(serve.workspace).isEqualTo(Path.of("/program"));
  }

  /** What the agent's own command makes of the command line. */
  private static AgentCommand.Serve served(Map<String, String> environment) {
    List<String> line = command(environment);
    AgentCommand.Serve serve = new AgentCommand.Serve();
    new CommandLine(serve)
        .parseArgs(line.subList(line.indexOf("serve") + 1, line.size()).toArray(String[]::new));
    return serve;
  }

  private static List<String> command(Map<String, String> environment) {
    return new AgentCommandLine(environment).command(Path.of("/program"), Path.of("/state"));
  }
}
