package dev.reprise.stack.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyDefaultsTest {

  @Test
  void everySettingHasADefaultThatCanBeReplaced() throws Exception {
    assertThat(PolicyDefaults.of(Map.of())).isEqualTo(Policy.DEFAULTS);
    assertThat(
            PolicyDefaults.of(
                Map.of(
                    "retry.initialBackoffSeconds", "10",
                    "retryMaxBackoffDurationSeconds", "300",
                    "retry.failureLimit", "5",
                    "retry.stalledAfter", "3",
                    "operation.idleTimeoutSeconds", "0",
                    "operation.timeoutSeconds", "3600")))
        .isEqualTo(
            new Policy(
                Duration.ofSeconds(10),
                Duration.ofSeconds(300),
                5,
                3,
                Duration.ZERO,
                Duration.ofHours(1),
                Duration.ZERO));
    assertThat(PolicyDefaults.names()).hasSize(6);
  }

  @Test
  void aStacksOwnSettingWinsOverTheDefault() throws Exception {
    Policy defaults =
        PolicyDefaults.of(
            Map.of("retryMaxBackoffDurationSeconds", "300", "retry.failureLimit", "5"));

    Policy own =
        Policy.of(
            Specs.read("{stack: d, retry: {failureLimit: 9}, retryMaxBackoffDurationSeconds: 0}"),
            Map.of(),
            defaults);

    assertThat(own.failureLimit()).isEqualTo(9);
    assertThat(own.maxBackoff()).hasSeconds(300);
  }

  @Test
  void allMistakesAreToldAtOnce() {
    assertThatThrownBy(
            () ->
                PolicyDefaults.of(
                    Map.of(
                        "retry.failureLimit", "0",
                        "retry.stalledAfter", "often",
                        "retry.failurelimit", "3",
                        "retry.initialBackoffSeconds", "600",
                        "operation.timeoutSeconds", "99999999999",
                        "retryMaxBackoffDurationSeconds", "300")))
        .isInstanceOf(PolicyDefaults.Invalid.class)
        .hasMessageContaining("retry.failureLimit is out of range: give a whole number from 1 ")
        .hasMessageContaining("retry.stalledAfter is not a whole number")
        .hasMessageContaining("retry.failurelimit is no setting: use retry.initialBackoffSeconds, ")
        .hasMessageContaining("retry.initialBackoffSeconds is longer than the longest wait")
        .hasMessageContaining("operation.timeoutSeconds is out of range");
    assertThatThrownBy(() -> PolicyDefaults.of(Map.of("retryMaxBackoffDurationSeconds", "0")))
        .hasMessage(
            "retryMaxBackoffDurationSeconds is out of range: give a whole number from 1 to"
                + " 31536000");
  }
}
