package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.workspace.Placement;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wording of what somebody has to change. */
class RefusalsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "statefulsets.apps \"web-workspace\" is forbidden: exceeded quota: small, requested: count/statefulsets.apps=1 | raise the namespace's quota, or lower spec.workspaceTemplate.spec.resources",
        "pods \"web-workspace-0\" is forbidden: error looking up service account apps/d: serviceaccount \"d\" not found | create the service account, or correct spec.serviceAccountName",
        "User \"x\" cannot patch resource \"statefulsets\" in API group \"apps\" | grant it to Reprise's service account",
        "admission webhook \"policy\" denied the request: image not allowed | change spec.workspaceTemplate to what the cluster admits, or the cluster's policy",
      })
  void aRefusalIsToldInTheServersWordsWithWhatToDo(String message, String remedy) {
    assertThat(Refusals.of(answer(403, message), Given.STACK))
        .isEqualTo(
            Refusals.refused(
                "the workspace of apps/web is refused: %s; %s".formatted(message, remedy)));
  }

  @ParameterizedTest
  @CsvSource({"400", "413", "422", "401"})
  void whatTimeAloneDoesNotHelpIsAnInputProblem(int code) {
    assertThat(Refusals.of(answer(code, "x"), Given.STACK))
        .isInstanceOfSatisfying(
            Placement.Refused.class,
            refused -> assertThat(refused.why().outcome()).isEqualTo(Outcome.INPUT_REFUSED));
  }

  @Test
  void aServerThatIsBusyOrAwayIsAskedAgainSlowly() {
    assertThat(Refusals.of(answer(429, "x"), Given.STACK))
        .isEqualTo(
            new Placement.Starting("the API server, which answers 429", Duration.ofSeconds(5)));
    assertThat(Refusals.of(new KubernetesClientException("connection reset"), Given.STACK))
        .isEqualTo(
            new Placement.Starting("the API server, which answers nothing", Duration.ofSeconds(5)));
  }

  private static KubernetesClientException answer(int code, String message) {
    return new KubernetesClientException(
        message, code, new StatusBuilder().withCode(code).withMessage(message).build());
  }
}
