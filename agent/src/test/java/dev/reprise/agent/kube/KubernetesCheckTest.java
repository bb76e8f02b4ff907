package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.proto.agent.PulumiVersionRequest;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.UpRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KubernetesCheckTest {
  private final GuardedAgent agent;

  KubernetesCheckTest(@TempDir Path folder) throws Exception {
    agent = new GuardedAgent(folder);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  @Test
  void bothQuestionsAreAskedAsTheProtocolSays() throws Exception {
    assertThat(agent.call("good")).isNotEmpty();

    assertThat(agent.api.asked).hasSize(2);
    assertThat(agent.api.asked)
        .extracting(FakeApi.Asked::path)
        .containsExactly(
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews");
    assertThat(agent.api.asked).allMatch(asked -> asked.authorization().equals("Bearer own-1"));
    assertThat(agent.api.asked.get(0).body())
        .hasToString(
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenReview\",\"spec\":"
                + "{\"token\":\"good\",\"audiences\":[\"shop.team\"]}}");
    assertThat(agent.api.asked.get(1).body().path("spec"))
        .hasToString(
            "{\"user\":\"system:serviceaccount:ops:good\",\"uid\":\"u-1\","
                + "\"groups\":[\"g1\",\"g2\"],\"extra\":{\"k\":[\"v\"]},\"resourceAttributes\":"
                + "{\"group\":\"auto.pulumi.com\",\"version\":\"v1alpha1\","
                + "\"resource\":\"workspaces\",\"subresource\":\"rpc\",\"verb\":\"use\","
                + "\"namespace\":\"team\",\"name\":\"shop\"}}");
  }

  @Test
  void streamsPassAsWell() {
    agent
        .client("Bearer good")
        .selectStack(SelectStackRequest.newBuilder().setStackName("dev").setCreate(true).build());
    List<Object> messages = new ArrayList<>();
    agent.client("Bearer good").up(UpRequest.getDefaultInstance()).forEachRemaining(messages::add);

    assertThat(messages).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"''", "Basic good"})
  void aCallWithoutATokenIsRefusedUnasked(String authorization) {
    refuseUnasked(authorization);

    assertThat(agent.api.asked).isEmpty();
  }

  private void refuseUnasked(String authorization) {
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                agent
                    .client(authorization)
                    .pulumiVersion(PulumiVersionRequest.getDefaultInstance()));

    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void aTokenForAnotherAudienceIsBad() {
    agent.api.audience = "other.team";

    assertThat(agent.refusal("good").getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void aPodThatMayNotAskSaysWhichBindingItNeeds() {
    agent.api.status = 403;
    agent.api.message = "cannot create resource tokenreviews";
    Status refused = agent.refusal("good");

    assertThat(refused.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused.getDescription())
        .contains("ClusterRole system:auth-delegator", "team/runner", "cannot create resource");

    agent.api.status = 201;
    assertThat(agent.call("good")).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"500", "503", "429", "401"})
  void anApiServerThatFailsIsNoRefusalAndNotRemembered(int status) {
    agent.api.status = status;
    agent.api.message = "later";
    Status refused = agent.refusal("good");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains("HTTP " + status, "later", "tokenreviews");

    agent.api.status = 201;
    assertThat(agent.call("good")).isNotEmpty();
  }

  @Test
  void anApiServerThatIsAwayIsNamed() {
    agent.api.close();

    Status refused = agent.refusal("good");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains(agent.api.address().server().toString());
  }

  @Test
  void theOwnTokenIsReadAnew() throws Exception {
    agent.call("good");
    Files.writeString(agent.api.tokenFile, "own-2");
    agent.call("good2");

    assertThat(agent.api.asked.getLast().authorization()).isEqualTo("Bearer own-2");
  }

  @Test
  void aMissingOwnTokenIsNoRefusal() throws IOException {
    Files.delete(agent.api.tokenFile);

    assertThat(agent.refusal("good").getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aCallCancelledWhileItIsHeldDoesNotRun() {
    agent.api.gate = new CountDownLatch(1);
    StatusRuntimeException e =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                agent
                    .client("Bearer good")
                    .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                    .selectStack(
                        SelectStackRequest.newBuilder()
                            .setStackName("never")
                            .setCreate(true)
                            .build()));
    // On the same connection, so by its answer the agent has heard of the cancellation.
    refuseUnasked("");
    agent.api.gate.countDown();

    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(agent.call("good")).isNotEmpty();
    Status missing =
        catchThrowableOfType(
                StatusRuntimeException.class,
                () ->
                    agent
                        .client("Bearer good")
                        .selectStack(SelectStackRequest.newBuilder().setStackName("never").build()))
            .getStatus();
    assertThat(missing.getCode()).isEqualTo(Status.Code.NOT_FOUND);
  }
}
