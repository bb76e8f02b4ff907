package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.activities.workspace.pod.AgentProbe.Activity;
import dev.reprise.dev.kube.RequestInfo;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What goes wrong with workspaces, and what becomes of it. */
class WorkspaceTroubleTest extends ClusterWorkspacesFixture {
  private static final String PULL_FAILS =
      "{containerStatuses: [{name: pulumi, state: {waiting:"
          + " {reason: ImagePullBackOff, message: 'Back-off pulling image \"nothing:1\"'}}}]}";

  private static boolean setApplied(RequestInfo request) {
    return request.is("patch", "statefulsets.apps");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{containerStatuses: [{name: pulumi, state: {waiting: {reason: ImagePullBackOff, message: no such image}}}]} | container pulumi: ImagePullBackOff: no such image",
        "{initContainerStatuses: [{name: fetch, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error}}}]} | init container fetch: CrashLoopBackOff; it ended with exit code 1 (Error)",
        "{initContainerStatuses: [{name: fetch, state: {terminated: {exitCode: 128, reason: Error, message: 'fatal: no repository'}}}]} | init container fetch: it ended with exit code 128 (Error: fatal: no repository)",
        "{initContainerStatuses: [{name: fetch, state: {running: {}}}], containerStatuses: [{name: pulumi, state: {waiting: {reason: PodInitializing}}}]} | init container fetch to finish",
        "{conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: 0/3 nodes}]} | a node: Unschedulable: 0/3 nodes",
        "{phase: Failed, reason: Evicted, message: low on memory} | Evicted: low on memory",
        "{phase: Running, reason: NodeLost, message: Node n1 is unresponsive} | its node to answer again or be removed from the cluster (NodeLost: Node n1 is unresponsive)",
      })
  void whatAPodWaitsForIsToldByName(String status, String text) throws Exception {
    place();
    pods.reconcile(stack);
    pods.podStatus(stack, status);
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0, which waits for " + text);
  }

  @Test
  void aPodThatStaysBrokenEndsTheAttemptAndIsKeptForItsLogs() throws Exception {
    place();
    pods.reconcile(stack);
    pods.podStatus(stack, PULL_FAILS);
    now = now.plusSeconds(170);
    waiting(place());
    now = now.plusSeconds(60);
    assertThat(refusal(place(), Outcome.WORKSPACE_FAILED))
        .startsWith("pod web-workspace-0 does not start: container pulumi: ImagePullBackOff");
    assertThat(pods.pod(stack)).isNotNull();
  }

  @Test
  void aPodWithoutANodeIsWaitedForAsNobodyDidAnythingWrong() throws Exception {
    place();
    pods.reconcile(stack);
    pods.podStatus(
        stack, "{conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}");
    now = now.plusSeconds(800);
    assertThat(waiting(place())).contains("Unschedulable");
  }

  @Test
  void theNextAttemptTriesABrokenPodAnewOnce() throws Exception {
    place();
    pods.reconcile(stack);
    pods.podStatus(stack, PULL_FAILS);
    String first = pods.pod(stack).getMetadata().getUid();

    since = Instant.now().plusSeconds(5);
    now = since;
    assertThat(waiting(place())).startsWith("a new pod instead of pod web-workspace-0");
    assertThat(pods.pod(stack)).isNull();

    since = Instant.now().minusSeconds(60);
    pods.reconcile(stack);
    pods.podStatus(stack, PULL_FAILS);
    assertThat(pods.pod(stack).getMetadata().getUid()).isNotEqualTo(first);
    assertThat(waiting(place())).contains("ImagePullBackOff");
    assertThat(pods.pod(stack)).isNotNull();
  }

  @Test
  void aBrokenPodIsReplacedWhenAFixedSpecArrives() throws Exception {
    spec = Given.GIT + "workspaceTemplate: {spec: {image: 'nothing:1'}}";
    place();
    pods.reconcile(stack);
    pods.podStatus(stack, PULL_FAILS);

    spec = Given.GIT;
    assertThat(waiting(place())).contains("to make its pod");
    // The controller has seen the new template and leaves the broken pod of the old one.
    pods.reconcile(stack);
    assertThat(waiting(place())).startsWith("a new pod instead of");
    assertThat(pods.pod(stack)).isNull();
    pods.makeReady(stack);
    assertReady(place());
  }

  @Test
  void whatCannotBeChangedIsDeletedAndMadeAgain() throws Exception {
    ready();
    cluster.server.faults().answer(1, WorkspaceTroubleTest::setApplied, 422);
    revision = "f".repeat(40);
    assertThat(waiting(place())).contains("as it cannot be changed into the wanted one");
    assertThat(pods.set(stack)).isNull();
    pods.deletePod(stack);
    assertThat(waiting(place())).contains("to make its pod");
    pods.makeReady(stack);
    assertReady(place());
  }

  @Test
  void aSpecThatIsInvalidHarmsNothingThatIsThere() throws Exception {
    ready();
    cluster.server.faults().answer(1, WorkspaceTroubleTest::setApplied, 422);
    cluster.server.faults().answer(1, r -> r.is("create", "statefulsets.apps"), 422);
    revision = "f".repeat(40);
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .contains("the workspace of apps/web is refused")
        .endsWith("correct spec.workspaceTemplate");
    assertThat(pods.set(stack)).isNotNull();
    assertThat(pods.pod(stack)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 429, 500, 503})
  void whatPassesIsTriedAgain(int code) throws Exception {
    cluster.server.faults().answer(1, WorkspaceTroubleTest::setApplied, code);
    waiting(place());
    assertThat(pods.set(stack)).isNull();
    assertThat(waiting(place())).contains("to make its pod");
    assertThat(pods.set(stack)).isNotNull();
  }

  @Test
  void aReadThatFailsIsTriedAgainToo() throws Exception {
    ready();
    cluster.server.faults().answer(1, r -> r.is("get", "pods"), 500);
    assertThat(waiting(place())).isEqualTo("the API server, which answers 500");
    assertReady(place());
  }

  @Test
  void aForbiddenObjectIsToldWithTheServersWords() throws Exception {
    cluster.server.faults().answer(1, WorkspaceTroubleTest::setApplied, 403);
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .contains("the workspace of apps/web is refused: a fault made by the test");
  }

  @Test
  void aPodThatAQuotaForbidsIsToldAndTriedAgainAfterAChange() throws Exception {
    place();
    pods.reconcile(stack);
    pods.deletePod(stack);
    pods.failedCreate(
        stack,
        "create Pod web-workspace-0 in StatefulSet web-workspace failed error: pods"
            + " \"web-workspace-0\" is forbidden: exceeded quota: small",
        Instant.now().plusSeconds(1));
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .startsWith("pod web-workspace-0 cannot be made: ")
        .contains("exceeded quota: small")
        .endsWith("raise the namespace's quota, or lower spec.workspaceTemplate.spec.resources");
  }

  /**
   * A namespace and its Stacks often come in one apply; its service account follows in a moment.
   */
  @Test
  void aPodOfANewNamespaceIsWaitedForUntilItsServiceAccountIsThere() throws Exception {
    place();
    pods.reconcile(stack);
    pods.deletePod(stack);
    pods.failedCreate(
        stack,
        "pods \"web-workspace-0\" is forbidden: error looking up service account apps/default:"
            + " serviceaccount \"default\" not found",
        Instant.now().plusSeconds(1));
    since = now;
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0 to be created");

    now = since.plusSeconds(11);
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .endsWith("create the service account, or correct spec.serviceAccountName");
  }

  @Test
  void theNextAttemptHasThePodTriedOnceMoreBeforeItBelievesAnOldRefusal() throws Exception {
    place();
    pods.reconcile(stack);
    pods.deletePod(stack);
    pods.failedCreate(stack, "exceeded quota", Instant.now().plusSeconds(1));
    refusal(place(), Outcome.INPUT_REFUSED);

    since = Instant.now().plusSeconds(300);
    now = since;
    cluster.server.requests().reset();
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0 to be created");
    assertThat(count("patch", "statefulsets.apps")).isEqualTo(1);
    pods.setStatus(
        stack, "{observedGeneration: %d}".formatted(pods.set(stack).getMetadata().getGeneration()));
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0 to be created");
    assertThat(count("patch", "statefulsets.apps")).isEqualTo(1);

    now = since.plusSeconds(11);
    assertThat(refusal(place(), Outcome.INPUT_REFUSED)).contains("exceeded quota");
  }

  @Test
  void anEventFromBeforeTheLastChangeSaysNothing() throws Exception {
    place();
    pods.reconcile(stack);
    pods.deletePod(stack);
    pods.failedCreate(stack, "exceeded quota", Instant.now().minusSeconds(600));
    assertThat(waiting(place())).isEqualTo("pod web-workspace-0 to be created");
  }

  @Test
  void aNamespaceThatIsBeingDeletedIsToldWithTheWayOut() throws Exception {
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"finalizer.stack.pulumi.com\"]}}");
    cluster.client.namespaces().withName("apps").delete();
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .startsWith("NamespaceTerminating: namespace apps is being deleted")
        .contains("kubectl patch stacks.pulumi.com web -n apps");
  }

  @Test
  void aTemplateThatCannotBeMergedIsRefusedBeforeAnythingIsMade() throws Exception {
    spec = Given.GIT + "workspaceTemplate: {spec: {podTemplate: {spec: {containers: {}}}}}";
    assertThat(refusal(place(), Outcome.INPUT_REFUSED))
        .startsWith("spec.workspaceTemplate.spec.podTemplate.spec.containers");
    assertThat(pods.services(stack).get()).isNull();
  }

  @Test
  void anArtifactIsFetchedOnlyAtTheRevisionThatWasDecidedOn() throws Exception {
    spec =
        "{stack: dev, fluxSource: {sourceRef: {apiVersion: source.toolkit.fluxcd.io/v1, kind: Bucket, name: app}}}";
    cluster
        .client
        .resource(Serialization.unmarshal(BUCKETS, CustomResourceDefinition.class))
        .create();
    revision = "1";
    assertThat(refusal(place(), Outcome.INPUT_REFUSED)).contains("Bucket apps/app does not exist");
    GenericKubernetesResource bucket = object(BUCKET);
    assertThat(refusal(place(), Outcome.SOURCE_UNAVAILABLE)).contains("offers no artifact yet");
    bucket.setAdditionalProperty(
        "status", Map.of("artifact", Map.of("revision", "1", "url", "http://p/1", "digest", "d")));
    cluster.client.resource(bucket).update();
    revision = "7";
    assertThat(refusal(place(), Outcome.SUPERSEDED)).contains("revision 1 by now");
    revision = "1";
    waiting(place());
    assertThat(
            pods.set(stack).getSpec().getTemplate().getSpec().getInitContainers().get(1).getEnv())
        .anySatisfy(env -> assertThat(env.getValue()).isEqualTo("http://p/1"));
  }

  @Test
  void aProgramIsMountedAsAProjectAtTheGenerationThatWasDecidedOnAndGoesWithItsWorkspace()
      throws Exception {
    spec = "{stack: dev, programRef: {name: app}}";
    cluster.client.resource(Crds.program()).create();
    revision = "1";
    assertThat(refusal(place(), Outcome.INPUT_REFUSED)).contains("Program apps/app does not exist");
    object(
        """
        apiVersion: pulumi.com/v1
        kind: Program
        metadata: {name: app, namespace: apps}
        program:
          resources: {bucket: {type: aws:s3:Bucket}}
          outputs: {name: "${bucket.id}"}
        """);
    revision = "7";
    assertThat(refusal(place(), Outcome.SUPERSEDED)).contains("revision 1 by now");
    revision = "1";
    waiting(place());

    ConfigMap text =
        cluster.client.configMaps().inNamespace("apps").withName("web-workspace-program").require();
    JsonNode project = JsonMapper.shared().readTree(text.getData().get("Pulumi.yaml"));
    assertThat(project.path("name").asString()).isEqualTo("app");
    assertThat(project.path("runtime").asString()).isEqualTo("yaml");
    assertThat(project.at("/resources/bucket/type").asString()).isEqualTo("aws:s3:Bucket");
    assertThat(project.at("/outputs/name").asString()).isEqualTo("${bucket.id}");
    assertThat(pods.set(stack).getSpec().getTemplate().getSpec().getVolumes().getLast())
        .extracting(volume -> volume.getConfigMap().getName())
        .isEqualTo("web-workspace-program");

    workspaces.delete(stack);
    assertThat(cluster.client.configMaps().inNamespace("apps").list().getItems()).isEmpty();
  }

  private static final String BUCKETS =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: buckets.source.toolkit.fluxcd.io}
      spec:
        group: source.toolkit.fluxcd.io
        scope: Namespaced
        names: {kind: Bucket, plural: buckets}
        versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
      """;

  private static final String BUCKET =
      """
      apiVersion: source.toolkit.fluxcd.io/v1
      kind: Bucket
      metadata: {name: app, namespace: apps}
      """;

  private GenericKubernetesResource object(String yaml) {
    return cluster
        .client
        .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
        .create();
  }

  @Test
  void aDestroyTakesThePodOfTheLastOperationAsItIs() throws Exception {
    Placement.Ready ready = ready();
    revision = "";
    Placement placed = place(new Purpose.Deletion(new ProjectInfo("shop", "nodejs"), Given.COMMIT));
    assertThat(assertReady(placed)).isEqualTo(ready);
  }

  @Test
  void aDestroyWithOtherInputsOrAnotherSpecGetsAPodOfItsOwnWithoutASource() throws Exception {
    ready();
    inputs = new TreeMap<>(Map.of("Secret/cloud/token", "renewed"));
    Purpose deletion = new Purpose.Deletion(new ProjectInfo("shop", "nodejs"), Given.COMMIT);
    waiting(place(deletion));
    assertThat(
            pods.set(stack)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getInitContainers()
                .get(1)
                .getCommand())
        .contains("--project-name", "shop");
    pods.deletePod(stack);
    pods.makeReady(stack);
    assertReady(place(deletion));
  }

  @Test
  void aDestroyThatHasToRunTheProgramGetsItAtTheRevisionLastRun() throws Exception {
    spec = Given.GIT + "runProgram: true";
    waiting(place(new Purpose.Deletion(new ProjectInfo("shop", "nodejs"), "abc")));
    assertThat(
            pods.set(stack).getSpec().getTemplate().getSpec().getInitContainers().get(1).getEnv())
        .anySatisfy(
            env -> {
              assertThat(env.getName()).isEqualTo("GIT_REVISION");
              assertThat(env.getValue()).isEqualTo("abc");
            });
  }

  @Test
  void aDestroyWhoseSourceIsGoneDoesWithTheWorkspaceThereIs() throws Exception {
    Placement.Ready ready = prepared();
    spec =
        "{stack: dev, fluxSource: {sourceRef: {apiVersion: source.toolkit.fluxcd.io/v1, kind: Bucket, name: b}}}";
    assertThat(assertReady(place(new Purpose.Deletion(ProjectInfo.NONE, "")))).isEqualTo(ready);
    agent = Activity.BUSY;
    assertThat(refusal(place(), Outcome.INPUT_REFUSED)).contains("Bucket apps/b does not exist");
  }
}
