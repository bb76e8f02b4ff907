package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.workspace.AgentLauncher;
import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.command.ServeCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AgentCommandLineTest {

  @Test
  void agentsEndFiveMinutesAfterTheirLastClientUnlessToldOtherwise() throws IOException {
    assertThat(served(Map.of()).lossLimit()).isEqualTo(Duration.ofMinutes(5));
    assertThat(served(Map.of(AgentCommandLine.ALONE_VARIABLE, "1m30s")).lossLimit())
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
  void anAgentStartedByAWorkerLeavesACancelledOperationTimeToFinishWhatItCreates()
      throws IOException {
    AgentConfig served = served(Map.of());

    assertThat(served.cancelGrace()).isEqualTo(AgentLauncher.CANCEL_GRACE).hasMinutes(10);
    assertThat(served.workspace()).isEqualTo(Path.of("/program"));
  }

  /** What the agent's own command makes of the command line. */
  private static AgentConfig served(Map<String, String> environment) throws IOException {
    List<String> line = command(environment);
    ServeCommand serve = new ServeCommand();
    new CommandLine(serve)
        .parseArgs(line.subList(line.indexOf("serve") + 1, line.size()).toArray(String[]::new));
    return serve.config();
  }

  private static List<String> command(Map<String, String> environment) {
    return new AgentCommandLine(environment).command(Path.of("/program"), Path.of("/state"));
  }
}
