package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.Policy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PolicyOptionsTest {

  @Test
  void theEnvironmentAndOptionsSetDefaultsAndOptionsWin() {
    Policy policy =
        parsed("--default", "retry.failureLimit=7", "--default", "operation.timeoutSeconds=60")
            .defaults(Map.of("REPRISE_DEFAULTS", "retry.failureLimit=5, retry.stalledAfter=3"));

    assertThat(policy.failureLimit()).isEqualTo(7);
    assertThat(policy.stalledAfter()).isEqualTo(3);
    assertThat(policy.timeout()).hasMinutes(1);
    assertThat(parsed().defaults(Map.of())).isEqualTo(Policy.DEFAULTS);
  }

  @Test
  void everyMistakeIsInTheOneLine() {
    assertThatThrownBy(
            () ->
                parsed("--default", "retry.failureLimit=0")
                    .defaults(Map.of("REPRISE_DEFAULTS", "retry.often=1,retry.stalledAfter")))
        .isInstanceOf(UserProblem.class)
        .hasMessageContaining("--default, or REPRISE_DEFAULTS: ")
        .hasMessageContaining("retry.failureLimit is out of range")
        .hasMessageContaining("retry.often is no setting")
        .hasMessageContaining("retry.stalledAfter is not a whole number");
  }

  private static PolicyOptions parsed(String... arguments) {
    PolicyOptions options = new PolicyOptions();
    new CommandLine(options).parseArgs(arguments);
    return options;
  }
}
