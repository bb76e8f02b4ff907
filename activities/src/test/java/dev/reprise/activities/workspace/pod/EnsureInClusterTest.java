package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.workspace.EnsureWorkspace;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.OperationKind;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole activity with pods, as a worker outside the cluster runs it. */
@Timeout(60)
class EnsureInClusterTest {

  @Test
  void aWorkspaceIsMadeWaitedForAndPreparedOnce() throws Exception {
    try (PodCluster pods = new PodCluster();
        FakeAgent agent = FakeAgent.plain()) {
      StackRef stack = pods.cluster.stack("web", Map.of("stack", "dev"));
      TestActivityEnvironment env = TestActivityEnvironment.newInstance();
      try {
        env.registerActivitiesImplementations(activity(pods, agent));
        WorkspaceInput input = new WorkspaceInput(stack, 1, OperationKind.UP, "");

        CompletableFuture<WorkspaceOutput> first =
            CompletableFuture.supplyAsync(() -> stub(env).ensureWorkspace(input));
        await().until(() -> pods.set(stack) != null);
        pods.makeReady(stack);
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(WorkspaceOutput.READY);
        assertThat(agent.count("Install")).isEqualTo(1);
        assertThat(pods.pod(stack).getMetadata().getAnnotations())
            .containsEntry(Names.INITIALIZED, "true");

        assertThat(stub(env).ensureWorkspace(input)).isEqualTo(WorkspaceOutput.READY);
        assertThat(agent.count("Install")).isEqualTo(1);
      } finally {
        env.close();
      }
    }
  }

  private static EnsureWorkspace activity(PodCluster pods, FakeAgent agent) {
    ClusterWorkspaces workspaces =
        new ClusterWorkspaces(
            pods.cluster.client,
            new ClusterWorkspaces.Settings(
                PodSettings.of(Given.PKO),
                AgentAddress.fromVariable("127.0.0.1:" + agent.endpoint().port()),
                AgentCredentials.NONE,
                "k",
                new SecretKeySpec("k".getBytes(StandardCharsets.UTF_8), "HmacSHA256"),
                InstantSource.system()));
    return EnsureWorkspace.of(pods.cluster.client, new StackReader(Policy.DEFAULTS), workspaces);
  }

  private static WorkspaceActivity stub(TestActivityEnvironment env) {
    return env.newActivityStub(
        WorkspaceActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMinutes(1))
            .setHeartbeatTimeout(Duration.ofSeconds(30))
            .build());
  }
}
