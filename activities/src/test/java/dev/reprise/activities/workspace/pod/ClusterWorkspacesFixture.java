package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.agent.Credentials;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.activities.workspace.pod.AgentProbe.Activity;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.spec.SpecReader;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** A Stack web in a cluster of its own, and what is asked for it. */
@Timeout(60)
abstract class ClusterWorkspacesFixture {
  static final Endpoint AGENT = new Endpoint("web-workspace.apps", 50051, "token for web.apps");

  final PodCluster pods = new PodCluster();
  final Cluster cluster = pods.cluster;
  final StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
  Activity agent = Activity.IDLE;
  Instant now = Instant.now();
  Instant since = Instant.EPOCH;
  String spec = Given.GIT;
  String revision = Given.COMMIT;
  SortedMap<String, String> inputs = new TreeMap<>();
  ClusterWorkspaces workspaces = with("one");

  @AfterEach
  void close() {
    pods.close();
  }

  ClusterWorkspaces with(String keyId) {
    return new ClusterWorkspaces(
        cluster.client,
        new ClusterWorkspaces.Settings(
            PodSettings.of(Given.PKO),
            AgentAddress.SERVICE,
            audience -> Credentials.fixed("token for " + audience),
            keyId,
            new SecretKeySpec(keyId.getBytes(StandardCharsets.UTF_8), "HmacSHA256"),
            () -> now),
        endpoint -> agent);
  }

  Placement place() throws SpecInvalid {
    return place(new Purpose.Operation());
  }

  Placement place(Purpose purpose) throws SpecInvalid {
    return workspaces.place(request(purpose));
  }

  WorkspaceRequest request(Purpose purpose) throws SpecInvalid {
    return new WorkspaceRequest(
        stack,
        SpecReader.read(
            JsonMapper.shared().readTree(Given.yaml(spec).toString()), stack.namespace()),
        revision,
        Map.of(),
        inputs,
        purpose,
        since);
  }

  /** As far as it gets with a controller and a kubelet that do their work. */
  Placement.Ready ready() throws SpecInvalid {
    place();
    pods.makeReady(stack);
    return assertReady(place());
  }

  /** So far that an operation may run in it. */
  Placement.Ready prepared() throws SpecInvalid {
    workspaces.prepared(stack, ready().instance());
    return assertReady(place());
  }

  static Placement.Ready assertReady(Placement placement) {
    assertThat(placement).isInstanceOf(Placement.Ready.class);
    return (Placement.Ready) placement;
  }

  static String waiting(Placement placement) {
    assertThat(placement).isInstanceOf(Placement.Starting.class);
    return ((Placement.Starting) placement).waitingFor();
  }

  static Duration pace(Placement placement) {
    assertThat(placement).isInstanceOf(Placement.Starting.class);
    return ((Placement.Starting) placement).askAgain();
  }

  static String refusal(Placement placement, Outcome outcome) {
    assertThat(placement).isInstanceOf(Placement.Refused.class);
    WorkspaceOutput why = ((Placement.Refused) placement).why();
    assertThat(why.outcome()).isEqualTo(outcome);
    return why.message();
  }

  long count(String verb, String resource) {
    return cluster.server.requests().count(verb, resource);
  }
}
