package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.workspace.AgentLauncher;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AgentCommandLineTest {

  @Test
  void agentsEndFiveMinutesAfterTheirLastClientUnlessToldOtherwise() {
    assertThat(command(Map.of())).endsWith("--end-when-alone", "300s");
    assertThat(command(Map.of(AgentCommandLine.ALONE_VARIABLE, "1m30s")))
        .endsWith("--end-when-alone", "90s");
  }

  @Test
  void agentsLeaveACancelledOperationTimeToFinishWhatItCreates() {
    AgentCommand.Serve serve = new AgentCommand.Serve();
    List<String> line = command(Map.of());
    new CommandLine(serve)
        .parseArgs(line.subList(line.indexOf("serve") + 1, line.size()).toArray(String[]::new));

    assertThat(serve.grace).isEqualTo(AgentLauncher.CANCEL_GRACE).hasMinutes(10);
  }

  @Test
  void aLimitThatIsNoDurationNamesItsVariable() {
    assertThatThrownBy(() -> command(Map.of(AgentCommandLine.ALONE_VARIABLE, "soon")))
        .isInstanceOf(UserProblem.class)
        .hasMessage(
            "REPRISE_AGENT_END_WHEN_ALONE: 'soon' is no duration; write for example 90s or 5m");
  }

  private static List<String> command(Map<String, String> environment) {
    return new AgentCommandLine(environment).command(Path.of("program"), Path.of("state"));
  }
}
