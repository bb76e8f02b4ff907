package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.workspace.AgentLauncher;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class AgentCommandLineTest {

  @Test
  void anAgentStartedByAWorkerLeavesACancelledOperationTimeToFinishWhatItCreates() {
    AgentCommand.Serve serve = new AgentCommand.Serve();
    var line = new AgentCommandLine(Map.of()).command(Path.of("/program"), Path.of("/state"));
    new CommandLine(serve)
        .parseArgs(line.subList(line.indexOf("serve") + 1, line.size()).toArray(String[]::new));

    assertThat(serve.grace).isEqualTo(AgentLauncher.CANCEL_GRACE).hasMinutes(10);
    assertThat(serve.workspace).isEqualTo(Path.of("/program"));
  }
}
