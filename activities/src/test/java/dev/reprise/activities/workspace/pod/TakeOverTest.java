package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.activities.report.StackFinalizer;
import dev.reprise.activities.takeover.TakeOver;
import dev.reprise.activities.takeover.TakingOver;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.activities.workspace.pod.AgentProbe.Activity;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Stack as the Pulumi Kubernetes Operator left it. */
class TakeOverTest extends ClusterWorkspacesFixture {
  private static final String OLDER = "web-18f0a1b2c3d";
  private static final String LAST = "web-18f0a1b2c3e";
  private static final String UNFINISHED = "web-18f0a1b2c3f";

  private final OperatorsCluster operators = new OperatorsCluster(pods);
  private boolean free = true;
  private TakeOver takeOver = new TakeOver(cluster.client, () -> now);

  @BeforeEach
  void requestsOfTheTestOnly() {
    cluster.server.requests().reset();
  }

  @Test
  void theWorkspaceIsAdoptedAsItIs() throws Exception {
    left();
    String set = uid(pods.set(stack));
    String service = uid(pods.services(stack).get());
    agent = Activity.BUSY;

    assertThat(assertReady(takeOverAndPlace()).outdated()).isTrue();
    assertOurs(pods.set(stack), set);
    assertOurs(pods.services(stack).get(), service);
    assertThat(operators.workspace("web")).isNull();
    assertThat(workspaces.running(stack)).isTrue();
    assertThat(pods.pod(stack).getMetadata().getAnnotations())
        .containsEntry(Names.INITIALIZED, "true");

    agent = Activity.IDLE;
    assertThat(waiting(takeOverAndPlace())).contains("to make its pod");
    assertOurs(pods.set(stack), set);
    assertOurs(pods.services(stack).get(), service);
    assertThat(pods.set(stack).getSpec().getTemplate().toString()).doesNotContain("OF_BEFORE");
  }

  @Test
  void updatesGoAndTheLastOutputsBecomeTheStacks() throws Exception {
    left();
    assertThat(takeOver.of(stack)).isEmpty();
    assertThat(operators.updates()).isEmpty();
    assertThat(secret(OLDER)).isNull();
    Secret outputs = secret(LAST);
    assertThat(outputs.getData()).containsOnlyKeys("url");
    assertThat(outputs.getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getKind, OwnerReference::getUid)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("Stack", stack.uid()));
    assertThat(outputs.getMetadata().getLabels())
        .containsEntry(ResultSecret.STACK_UID, stack.uid())
        .containsEntry(ResultSecret.UPDATE_NAME, LAST);
    assertThat(outputs.getMetadata().getAnnotations())
        .containsEntry(ResultSecret.OUTCOME, Outcome.SUCCEEDED.name())
        .containsEntry(ResultSecret.KIND, "up")
        .containsEntry(ResultSecret.SECRET_KEYS, "[]");
  }

  @Test
  void aSecondTimeNothingIsDone() throws Exception {
    left();
    assertThat(takeOver.of(stack)).isEmpty();
    cluster.server.requests().reset();
    assertThat(takeOver.of(stack)).isEmpty();
    assertThat(cluster.server.requests().all()).isEmpty();

    takeOver = new TakeOver(cluster.client, () -> now);
    assertThat(takeOver.of(stack)).isEmpty();
    assertThat(cluster.server.requests().all()).hasSize(2);
    assertThat(changes()).isZero();
  }

  @Test
  void whatWasBrokenOffIsFinished() throws Exception {
    left();
    cluster.server.faults().answer(1, r -> r.is("patch", "statefulsets.apps"), 503);
    assertThatThrownBy(() -> takeOver.of(stack)).isInstanceOf(KubernetesClientException.class);
    cluster.server.faults().answer(1, r -> r.is("delete", "updates.auto.pulumi.com"), 503);
    assertThat(waiting(takeOverAndPlace())).isEqualTo("the API server, which answers 503");
    cluster.server.faults().answer(1, r -> r.is("delete", "workspaces.auto.pulumi.com"), 409);
    assertThat(waiting(takeOverAndPlace())).contains("to come to rest");

    assertThat(takeOver.of(stack)).isEmpty();
    assertThat(operators.updates()).isEmpty();
    assertThat(operators.workspace("web")).isNull();
    assertThat(secret(LAST)).isNotNull();
    assertThat(pods.set(stack).getMetadata().getLabels())
        .containsEntry(Names.STACK_UID, stack.uid());
  }

  @Test
  void aWorkspaceThatSomebodyHoldsIsWaitedFor() throws Exception {
    left();
    operators.holdWorkspace("web");
    assertThat(waiting(takeOverAndPlace()))
        .isEqualTo("Workspace web of the Pulumi Kubernetes Operator to be gone");
    assertThat(waiting(takeOverAndPlace())).startsWith("Workspace web");
    assertThatThrownBy(() -> new TakingOver(takeOver, workspaces, () -> free).running(stack))
        .isInstanceOf(ApplicationFailure.class)
        .hasMessageContaining("Workspace web");
  }

  @Test
  void theWorkspaceOfAnotherUidIsLeftAloneAndTold() throws Exception {
    operators.define();
    operators.workspace(stack, "another-uid");
    cluster.server.requests().reset();
    assertThat(refusal(takeOverAndPlace(), Outcome.INPUT_REFUSED))
        .contains("kubectl delete workspaces.auto.pulumi.com web");
    assertThat(changes()).isZero();
  }

  @Test
  void whileThatOperatorWorksNothingIsTouched() throws Exception {
    left();
    cluster.server.requests().reset();
    free = false;
    assertThat(waiting(takeOverAndPlace()))
        .isEqualTo("the Pulumi Kubernetes Operator to be scaled down");
    assertThat(cluster.server.requests().all()).isEmpty();
    free = true;
    takeOverAndPlace();
    assertThat(operators.workspace("web")).isNull();
  }

  @Test
  void otherStacksAreLeftAlone() throws Exception {
    left();
    StackRef other = cluster.stack("api", Map.of("stack", "dev"));
    GenericKubernetesResource workspace = operators.workspace(other, other.uid());
    operators.update(other, workspace, "api-18f0a1b2c3d", true);
    assertThat(takeOver.of(stack)).isEmpty();
    assertThat(operators.workspace("api")).isNotNull();
    assertThat(operators.updates()).containsExactly("api-18f0a1b2c3d");
    assertThat(pods.set(other).getMetadata().getLabels()).doesNotContainKey(Names.STACK_UID);
  }

  @Test
  void withoutTheDefinitionsItCostsTwoReadsForAll() {
    assertThat(takeOver.of(stack)).isEmpty();
    StackRef other = cluster.stack("api", Map.of("stack", "dev"));
    assertThat(takeOver.of(other)).isEmpty();
    assertThat(cluster.server.requests().count(r -> r.resource().endsWith("auto.pulumi.com")))
        .isLessThanOrEqualTo(2);
  }

  @Test
  void withoutTheRightToLookItGoesOn() throws Exception {
    operators.define();
    cluster.server.faults().answer(1, r -> r.is("get", "workspaces.auto.pulumi.com"), 403);
    assertThat(waiting(takeOverAndPlace())).contains("to make its pod");
  }

  @Test
  void aStackThatIsLetGoLeavesNothingBehind() throws Exception {
    left();
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"finalizer.stack.pulumi.com\"]}}");
    cluster.named(stack).delete();
    StackFinalizer finalizer =
        new StackFinalizer(
            cluster.client,
            new TakingOver(takeOver, workspaces, () -> free),
            "test",
            InstantSource.system());
    agent = Activity.BUSY;
    assertThat(finalizer.release(stack).released()).isFalse();
    agent = Activity.IDLE;
    assertThat(finalizer.release(stack).released()).isTrue();
    assertThat(cluster.named(stack).get()).isNull();
    assertThat(pods.set(stack)).isNull();
    assertThat(operators.updates()).isEmpty();
    assertThat(operators.workspace("web")).isNull();
  }

  private void left() throws SpecInvalid {
    operators.define();
    GenericKubernetesResource workspace = operators.workspace(stack, stack.uid());
    operators.update(stack, workspace, OLDER, true);
    operators.update(stack, workspace, LAST, true);
    operators.update(stack, workspace, UNFINISHED, false);
  }

  private Placement takeOverAndPlace() throws SpecInvalid {
    return new TakingOver(takeOver, workspaces, () -> free).place(request(new Purpose.Operation()));
  }

  private void assertOurs(HasMetadata object, String uid) {
    assertThat(uid(object)).isEqualTo(uid);
    assertThat(object.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(object.getMetadata().getLabels()).containsEntry(Names.STACK_UID, stack.uid());
  }

  private static String uid(HasMetadata object) {
    return object.getMetadata().getUid();
  }

  private Secret secret(String update) {
    return cluster
        .client
        .secrets()
        .inNamespace(stack.namespace())
        .withName(ResultSecret.name(update))
        .get();
  }

  private long changes() {
    return cluster
        .server
        .requests()
        .count(r -> !r.verb().equals("get") && !r.verb().equals("list"));
  }
}
