package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.workspace.pod.AgentImage;
import dev.reprise.activities.workspace.pod.AgentImage.Kind;
import dev.reprise.activities.workspace.pod.PodSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class WorkspaceOptionsTest {
  private static final Map<String, String> IN_A_POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  @Test
  void operationsRunInPodsWhereTheWorkerDoes() {
    assertThat(parsed().inPods(IN_A_POD)).isTrue();
    assertThat(parsed().inPods(Map.of())).isFalse();
    assertThat(parsed("--workspaces", "processes").inPods(IN_A_POD)).isFalse();
    assertThat(parsed("--workspaces", "pods").inPods(Map.of())).isTrue();
  }

  @Test
  void theAgentsImageComesFromTheOptionOrTheVariablesOfTheOtherOperator() {
    Map<String, String> variables =
        Map.of(
            "AGENT_IMAGE", "mirror/agent:1",
            "AGENT_IMAGE_PULL_POLICY", "always",
            "FLUX_MAX_UNTAR_SIZE_BYTES", "-1");
    assertThat(parsed().settings(variables))
        .isEqualTo(new PodSettings(new AgentImage("mirror/agent:1", "Always", Kind.OWN), "-1"));
    assertThat(parsed("--agent-image", "pko:2", "--agent", "pko").settings(variables).agent())
        .isEqualTo(new AgentImage("pko:2", "Always", Kind.PKO));
    assertThat(parsed().settings(Map.of()).agent().image()).startsWith("reprise-agent:");
    assertThat(parsed("--agent", "pko").settings(Map.of()))
        .isEqualTo(
            PodSettings.of(AgentImage.of("pulumi/pulumi-kubernetes-operator:v2.9.0", Kind.PKO)));
  }

  @Test
  void aVariableThatIsNoUseIsNamedWithWhatToWrite() {
    assertThatThrownBy(() -> parsed().settings(Map.of("AGENT_IMAGE_PULL_POLICY", "sometimes")))
        .isInstanceOf(UserProblem.class)
        .hasMessage("AGENT_IMAGE_PULL_POLICY is no pull policy; use Always, IfNotPresent or Never");
    assertThatThrownBy(() -> parsed().settings(Map.of("FLUX_MAX_UNTAR_SIZE_BYTES", "1Gi")))
        .isInstanceOf(UserProblem.class)
        .hasMessageContaining("FLUX_MAX_UNTAR_SIZE_BYTES is no number");
    assertThatThrownBy(() -> WorkspaceOptions.address(Map.of("WORKSPACE_LOCALHOST", "here")))
        .isInstanceOf(UserProblem.class)
        .hasMessageContaining("WORKSPACE_LOCALHOST is no address");
  }

  private static WorkspaceOptions parsed(String... arguments) {
    WorkspaceOptions options = new WorkspaceOptions();
    new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return options;
  }
}
