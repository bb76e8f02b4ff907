package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.agent.Credentials;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.pod.AgentProbe.Activity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A workspace from its first making to its last. */
class ClusterWorkspacesTest extends ClusterWorkspacesFixture {
  private static final Credentials CREDENTIALS = Credentials.fixed("token for web.apps");

  @Test
  void aWorkspaceIsMadeAndReadyWhenItsPodIsAvailable() throws Exception {
    assertThat(waiting(place())).isEqualTo("StatefulSet web-workspace to make its pod");
    assertThat(pods.services(stack).get().getSpec().getClusterIP()).isEqualTo("None");

    pods.reconcile(stack);
    pods.run(stack);
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0 to become available");

    pods.makeReady(stack);
    Placement.Ready ready = assertReady(place());
    assertThat(ready)
        .isEqualTo(
            new Placement.Ready(AGENT, false, pods.pod(stack).getMetadata().getUid(), false));
  }

  @Test
  void readyIsWhatTheControllerHasActedOnAndRolledOutToTheVeryPod() throws Exception {
    prepared();
    long generation = pods.set(stack).getMetadata().getGeneration();

    pods.setStatus(stack, "{observedGeneration: " + (generation - 1) + "}");
    assertThat(waiting(place())).isEqualTo("StatefulSet web-workspace to be acted on");

    pods.setStatus(stack, "{observedGeneration: %d, currentRevision: old}".formatted(generation));
    assertThat(waiting(place())).isEqualTo("the rolling update of web-workspace to end");

    agent = Activity.BUSY;
    pods.setStatus(stack, "{updateRevision: new, currentRevision: new}");
    assertThat(waiting(place()))
        .isEqualTo("pod web-workspace-0 to be replaced by one of the new template");
    assertThat(pods.pod(stack)).isNotNull();
  }

  @Test
  void lookingAtAReadyWorkspaceChangesNothing() throws Exception {
    ready();
    cluster.server.requests().reset();
    place();
    assertThat(cluster.server.requests().count(r -> !r.verb().equals("get"))).isZero();
  }

  @Test
  void aPodIsPreparedOnceAndANewPodAgain() throws Exception {
    Placement.Ready ready = ready();
    workspaces.prepared(stack, ready.instance());
    assertThat(pods.pod(stack).getMetadata().getAnnotations())
        .containsEntry("auto.pulumi.com/initialized", "true");
    assertThat(assertReady(place()).prepared()).isTrue();

    pods.deletePod(stack);
    pods.makeReady(stack);
    assertThat(assertReady(place()).prepared()).isFalse();
  }

  @Test
  void aPodThatTookTheNameMeanwhileIsNotMarkedAsPrepared() throws Exception {
    Placement.Ready ready = ready();
    pods.deletePod(stack);
    pods.makeReady(stack);
    assertThatThrownBy(() -> workspaces.prepared(stack, ready.instance()))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("uid");
    assertThat(assertReady(place()).prepared()).isFalse();
  }

  @Test
  void anotherSpecOrRevisionOrInputReplacesAnIdlePodAtOnce() throws Exception {
    ready();
    revision = "f".repeat(40);
    assertThat(waiting(place())).contains("to make its pod");
    pods.deletePod(stack);
    pods.makeReady(stack);
    assertReady(place());

    spec = spec + "backend: s3://other\n";
    assertThat(waiting(place())).contains("to make its pod");
    pods.deletePod(stack);
    pods.makeReady(stack);
    assertReady(place());

    inputs.put("Secret/db/password", "other");
    assertThat(waiting(place())).contains("to make its pod");
    assertThat(pods.set(stack).getSpec().getTemplate().getMetadata().getAnnotations().toString())
        .doesNotContain("other");
  }

  @Test
  void aDigestUnderAnotherKeyIsNoChange() throws Exception {
    ready();
    workspaces = with("two");
    assertThat(assertReady(place()).outdated()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Activity.class,
      names = {"BUSY", "SILENT"})
  void aPodInWhichAnOperationMayRunIsNotTouched(Activity activity) throws Exception {
    prepared();
    StatefulSet before = pods.set(stack);
    agent = activity;
    revision = "f".repeat(40);
    assertThat(assertReady(place()).outdated()).isTrue();
    assertThat(pods.set(stack)).isEqualTo(before);
    workspaces.rest(stack, false);
    assertThat(workspaces.running(stack)).isTrue();
    assertThat(pods.set(stack)).isEqualTo(before);

    agent = Activity.IDLE;
    assertThat(waiting(place())).contains("to make its pod");
  }

  @Test
  void aPodInWhichNothingWasPreparedYetIsReplacedWhateverItsAgentAnswers() throws Exception {
    ready();
    agent = Activity.SILENT;
    spec = spec + "serviceAccountName: delegator\n";
    assertThat(waiting(place())).contains("to make its pod");
  }

  @Test
  void aPodInWhichNobodyListensIsReplaced() throws Exception {
    prepared();
    agent = Activity.ABSENT;
    revision = "f".repeat(40);
    assertThat(waiting(place())).contains("to make its pod");
  }

  @Test
  void aServiceThatSomebodyDeletedIsMadeAgain() throws Exception {
    ready();
    pods.services(stack).delete();
    assertThat(waiting(place())).isEqualTo("its Service to be known");
    assertThat(pods.services(stack).get()).isNotNull();
    assertReady(place());
  }

  @Test
  void aPodThatGoesWhileItIsWaitedForIsWaitedForAgain() throws Exception {
    place();
    pods.reconcile(stack);
    pods.deletePod(stack);
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0 to be created");
    pods.makeReady(stack);
    assertReady(place());
  }

  @Test
  void aStatefulSetThatSomebodyDeletedIsMadeAgain() throws Exception {
    ready();
    pods.sets(stack).delete();
    pods.deletePod(stack);
    assertThat(waiting(place())).contains("to make its pod");
    assertThat(pods.set(stack)).isNotNull();
  }

  @Test
  void theAgentIsFoundAsLongAsItsContainerRuns() throws Exception {
    assertThat(workspaces.locate(stack)).isEmpty();
    place();
    pods.reconcile(stack);
    assertThat(workspaces.locate(stack)).isEmpty();
    pods.run(stack);
    assertThat(workspaces.locate(stack)).contains(AGENT);
    assertThat(workspaces.locate(new StackRef("apps", "web", "earlier"))).isEmpty();
  }

  @Test
  void nothingRunsWhereNoContainerDoesOrNothingWasPrepared() throws Exception {
    agent = Activity.SILENT;
    assertThat(workspaces.running(stack)).isFalse();
    place();
    pods.reconcile(stack);
    assertThat(workspaces.running(stack)).isFalse();
    pods.run(stack);
    assertThat(workspaces.running(stack)).isFalse();
    workspaces.prepared(stack, pods.pod(stack).getMetadata().getUid());
    assertThat(workspaces.running(stack)).isTrue();
  }

  @Test
  void stoppingEndsThePodOfThisStackOnly() throws Exception {
    ready();
    workspaces.stop(new StackRef("apps", "web", "earlier"));
    assertThat(pods.pod(stack)).isNotNull();
    workspaces.stop(stack);
    assertThat(pods.pod(stack)).isNull();
    assertThat(pods.set(stack)).isNotNull();
    workspaces.stop(stack);
  }

  @Test
  void deletingRemovesBothObjectsAndCanBeRepeated() throws Exception {
    ready();
    workspaces.delete(new StackRef("apps", "web", "earlier"));
    assertThat(pods.set(stack)).isNotNull();
    assertThat(pods.services(stack).get()).isNotNull();
    workspaces.delete(stack);
    assertThat(pods.set(stack)).isNull();
    assertThat(pods.services(stack).get()).isNull();
    workspaces.delete(stack);
  }

  @Test
  void anIdleWorkspaceRestsWithoutAPodOrWithoutObjectsAndComesBack() throws Exception {
    ready();
    workspaces.rest(stack, true);
    assertThat(pods.set(stack).getSpec().getReplicas()).isZero();
    pods.deletePod(stack);
    assertThat(waiting(place())).contains("to make its pod");
    assertThat(pods.set(stack).getSpec().getReplicas()).isEqualTo(1);

    pods.makeReady(stack);
    workspaces.rest(stack, false);
    assertThat(pods.set(stack)).isNull();
    pods.deletePod(stack);
    assertThat(waiting(place())).contains("to make its pod");
  }

  @Test
  void workspacesOfStacksThatAreGoneAreSweptUnlessSomethingRunsInThem() throws Exception {
    prepared();
    agent = Activity.BUSY;
    assertThat(workspaces.sweep(ref -> true)).isZero();
    agent = Activity.IDLE;
    assertThat(workspaces.sweep(ref -> false)).isZero();
    assertThat(workspaces.sweep(stack::equals)).isEqualTo(1);
    assertThat(pods.set(stack)).isNull();
  }

  @Test
  void theWorkspaceOfAnEarlierStackIsWaitedOutAndNeverUsed() throws Exception {
    prepared();
    cluster.named(stack).delete();
    StackRef later = cluster.stack("web", Map.of("stack", "dev"));
    agent = Activity.BUSY;
    assertThat(waiting(placeFor(later)))
        .isEqualTo(
            "the workspace of another Stack of this name (uid " + stack.uid() + ") to be gone");
    assertThat(workspaces.locate(later)).isEmpty();
    assertThat(pods.set(stack)).isNotNull();

    agent = Activity.IDLE;
    placeFor(later);
    assertThat(pods.set(stack)).isNull();
    pods.deletePod(stack);
    assertThat(waiting(placeFor(later))).contains("to make its pod");
    assertThat(pods.set(later).getMetadata().getLabels())
        .containsEntry("reprise.dev/stack-uid", later.uid());
  }

  private Placement placeFor(StackRef other) throws Exception {
    return workspaces.place(
        new WorkspaceRequest(
            other,
            Given.git("").spec(),
            revision,
            Map.of(),
            inputs,
            new WorkspaceRequest.Purpose.Operation(),
            since));
  }

  @Test
  void aWorkspaceOfTheOtherOperatorIsLeftAloneAndItsOwnerNamed() throws Exception {
    ready();
    pods.sets(stack)
        .edit(
            set -> {
              set.getMetadata().getLabels().remove("reprise.dev/stack-uid");
              set.addOwnerReference(
                  new OwnerReferenceBuilder()
                      .withApiVersion("auto.pulumi.com/v1alpha1")
                      .withKind("Workspace")
                      .withName("web")
                      .withUid("w-1")
                      .withController(true)
                      .build());
              return set;
            });
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .contains("does not belong to Reprise, but to Workspace web")
        .endsWith("kubectl delete workspaces.auto.pulumi.com web -n apps");
    assertThat(pods.set(stack)).isNotNull();
  }

  @Test
  void aWorkerOutsideTheClusterDialsOneAddress() {
    assertThat(AgentAddress.fromVariable("localhost:5000").of(stack, CREDENTIALS))
        .isEqualTo(new Endpoint("localhost", 5000, CREDENTIALS));
    assertThat(AgentAddress.fromVariable("").of(stack, CREDENTIALS)).isEqualTo(AGENT);
    assertThatThrownBy(() -> AgentAddress.fromVariable("localhost"))
        .hasMessageContaining("WORKSPACE_LOCALHOST is no address");
  }

  @Test
  void aWaitBeginsWithQuickLooksAndGoesOnWithSlowOnes() throws Exception {
    place();
    pods.reconcile(stack);
    assertThat(pace(place())).isLessThan(Duration.ofSeconds(1));
    now = now.plusSeconds(60);
    assertThat(pace(place())).isEqualTo(Duration.ofSeconds(5));
  }
}
