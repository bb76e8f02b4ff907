package dev.reprise.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.engine.Commands;
import dev.reprise.e2e.engine.Commands.Ended;
import dev.reprise.e2e.engine.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Helm makes of the chart's values; that the result runs is shown by every scenario. */
@Tag("engines")
@Tag("smoke")
class ChartValuesTest {
  private static final String CHART = "../helm/reprise";
  private final Programs programs = Programs.fromEnvironment();

  private Ended template(String... values) {
    List<String> command =
        new ArrayList<>(
            List.of(programs.path("helm"), "template", "reprise", CHART, "--kube-version=1.33.0"));
    for (String value : values) {
      command.add("--set=" + value);
    }
    return Commands.tried(Map.of(), "", command);
  }

  @Test
  void theChartIsInOrder() {
    assertThat(Commands.run(List.of(programs.path("helm"), "lint", "--strict", CHART)))
        .contains("0 chart(s) failed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "temporal.tlsSecret=certs | secretName: certs",
        "temporal.apiKeySecret=key | name: TEMPORAL_API_KEY",
        "defaults.retryMaxBackoffDurationSeconds=3600"
            + " | value: retryMaxBackoffDurationSeconds=3600",
        "agent.kind=pko | --agent=pko",
        "cluster=east-1 | --cluster=east-1",
        "worker.replicas=5 | replicas: 5",
        "watcher.watchInputs=false | --no-watch-inputs",
        "worker.replicas=2 | kind: PodDisruptionBudget",
      })
  void aValueHasItsEffect(String value, String effect) {
    Ended ended = template(value);

    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).contains(effect);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "worker.replicas=1 | kind: PodDisruptionBudget",
        "rbac.create=false | kind: ClusterRole",
        "crds.install=false | kind: CustomResourceDefinition",
      })
  void whatIsSwitchedOffIsNotMade(String value, String absent) {
    Ended ended = template(value);

    assertThat(ended.exitCode()).as(ended.output()).isZero();
    assertThat(ended.output()).doesNotContain(absent);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "temporal.address=http://temporal:7233 | /temporal/address",
        "worker.replicaz=3 | replicaz",
        "worker.replicas=two | /worker/replicas",
        "agent.kind=other | must be one of",
        "logFormat=xml | /logFormat",
      })
  void aMistakeIsNamed(String value, String named) {
    Ended ended = template(value);

    assertThat(ended.exitCode()).isNotZero();
    assertThat(ended.output()).contains(named);
  }
}
