package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentCommandLineTest {

  @Test
  void agentsEndFiveMinutesAfterTheirLastClientUnlessToldOtherwise() {
    assertThat(command(Map.of())).endsWith("--end-when-alone", "300s");
    assertThat(command(Map.of(AgentCommandLine.ALONE_VARIABLE, "1m30s")))
        .endsWith("--end-when-alone", "90s");
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
