package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.workspace.pod.AgentProbe.Activity;
import io.grpc.Status;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentProbeTest {

  @Test
  void anAgentOfOursTellsWhetherItRunsSomething() throws Exception {
    try (FakeAgent agent = FakeAgent.own()) {
      assertThat(AgentProbe.BY_CALL.ask(agent.endpoint())).isEqualTo(Activity.IDLE);
      agent.runningNow("u-1/3/up/web-1a");
      assertThat(AgentProbe.BY_CALL.ask(agent.endpoint())).isEqualTo(Activity.BUSY);
    }
  }

  @Test
  void anAgentWithoutOperationIdsIsAskedForAnUpdateInProgress() throws Exception {
    try (FakeAgent agent = FakeAgent.plain()) {
      assertThat(AgentProbe.BY_CALL.ask(agent.endpoint())).isEqualTo(Activity.IDLE);
      agent.updateInProgress = true;
      assertThat(AgentProbe.BY_CALL.ask(agent.endpoint())).isEqualTo(Activity.BUSY);
      agent.info = Status.FAILED_PRECONDITION.withDescription("no stack is selected");
      assertThat(AgentProbe.BY_CALL.ask(agent.endpoint())).isEqualTo(Activity.IDLE);
      agent.info = Status.UNAUTHENTICATED;
      assertThat(AgentProbe.BY_CALL.ask(agent.endpoint())).isEqualTo(Activity.SILENT);
    }
  }

  @Test
  void wherePortsAreClosedNobodyListens() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0)) {
      port = closed.getLocalPort();
    }
    assertThat(AgentProbe.BY_CALL.ask(new Endpoint("127.0.0.1", port, "")))
        .isEqualTo(Activity.ABSENT);
  }

  @Test
  void whoListensWithoutAnswersIsSilent() throws Exception {
    try (ServerSocket mute = new ServerSocket(0)) {
      assertThat(AgentProbe.BY_CALL.ask(new Endpoint("127.0.0.1", mute.getLocalPort(), "")))
          .isEqualTo(Activity.SILENT);
    }
    assertThat(AgentProbe.BY_CALL.ask(new Endpoint("no-such-host.invalid", 50051, "")))
        .isEqualTo(Activity.SILENT);
  }
}
