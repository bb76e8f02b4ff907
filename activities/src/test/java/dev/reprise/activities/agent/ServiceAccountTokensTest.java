package dev.reprise.activities.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.proto.agent.SelectStackRequest;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAccountTokensTest {
  private static final String AUDIENCE = "web.apps";

  private final Cluster cluster = Cluster.bare();
  private Instant now = Instant.now();
  private final ServiceAccountTokens tokens =
      new ServiceAccountTokens(cluster.client, Cluster.NAMESPACE, "reprise", () -> now);

  @BeforeEach
  void account() {
    cluster
        .client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(Cluster.NAMESPACE)
                .withName("reprise")
                .endMetadata()
                .build())
        .create();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aTokenServesItsAgentAloneUntilFiveMinutesBeforeItsEnd() throws Exception {
    String first = tokens.towards(AUDIENCE).token();

    assertThat(tokens.towards(AUDIENCE).token()).isEqualTo(first);
    assertThat(tokens.towards("other.apps").token()).isNotEqualTo(first);
    now = now.plus(Duration.ofMinutes(54));
    assertThat(tokens.towards(AUDIENCE).token()).isEqualTo(first);
    now = now.plus(Duration.ofMinutes(2));
    assertThat(tokens.towards(AUDIENCE).token()).isNotEqualTo(first);
  }

  @Test
  void theTokenThatAnAgentRefusedIsReplacedAndALaterOneIsNot() throws Exception {
    Credentials credentials = tokens.towards(AUDIENCE);
    String first = credentials.token();

    credentials.refused(first);
    String second = credentials.token();
    assertThat(second).isNotEqualTo(first);

    credentials.refused(first);
    assertThat(credentials.token()).isEqualTo(second);
  }

  @Test
  void aRefusedCallIsFollowedByOneWithAFreshToken() throws Exception {
    try (FakeAgent agent = FakeAgent.own()) {
      agent.select = Status.UNAUTHENTICATED;
      assertThat(select(agent)).isEqualTo(Status.Code.UNAUTHENTICATED);
      String refused = agent.authorization;
      agent.select = Status.OK;

      assertThat(select(agent)).isEqualTo(Status.Code.OK);
      assertThat(agent.authorization).startsWith("Bearer ").isNotEqualTo(refused);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404})
  void aMissingRightIsNamed(int code) {
    refuse(code);

    assertThatThrownBy(() -> tokens.towards(AUDIENCE).token())
        .isInstanceOfSatisfying(
            CredentialsUnavailable.class, missing -> assertThat(missing.denied()).isTrue())
        .hasMessageContaining("apps/reprise")
        .hasMessageContaining("serviceaccounts/token");
  }

  @Test
  void withoutATokenNoCallIsMadeAndItsEndTellsWhetherItMayPass() throws IOException {
    try (FakeAgent agent = FakeAgent.own()) {
      refuse(500);
      assertThat(select(agent)).isEqualTo(Status.Code.UNAVAILABLE);
      cluster.server.faults().clear();
      refuse(403);
      assertThat(select(agent)).isEqualTo(Status.Code.PERMISSION_DENIED);

      assertThat(agent.calls).isEmpty();
    }
  }

  private void refuse(int code) {
    cluster.server.faults().answer(100, request -> request.resource().endsWith("/token"), code);
  }

  private Status.Code select(FakeAgent agent) {
    Endpoint endpoint = new Endpoint("127.0.0.1", agent.port(), tokens.towards(AUDIENCE));
    try (AgentConnection connection = AgentConnection.open(endpoint)) {
      connection.limitedFutures().selectStack(SelectStackRequest.getDefaultInstance()).get();
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
