package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.stack.crd.Crds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.temporal.api.workflowservice.v1.ListOpenWorkflowExecutionsRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole watcher against an embedded API server. */
class WatcherTest {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final Duration OFTEN = Duration.ofMillis(100);

  private final EmbeddedKubernetes server = EmbeddedKubernetes.start();
  private final KubernetesClient client = server.client();
  private final FakeStarter starter = new FakeStarter();
  private final List<Watcher> watchers = new ArrayList<>();

  @AfterEach
  void close() {
    watchers.forEach(Watcher::close);
    client.close();
    server.close();
  }

  @Test
  void aNewStackIsWokenOnceAndOneInOrderNeverAgain() {
    install();
    Watcher watcher = start(NEVER);
    await().until(watcher::healthy);
    create("a");
    await().until(() -> starter.deliveredNames().equals(List.of("a")));
    putInOrder("a");
    touch("a");
    create("b");
    await().until(() -> starter.deliveredNames().equals(List.of("a", "b")));
    assertThat(watcher.stats().delivered()).isEqualTo(2);
    assertThat(watcher.stats().stacks()).isEqualTo(2);
  }

  @Test
  void stacksInOrderAtTheStartCostNoCall() {
    install();
    for (int i = 0; i < 20; i++) {
      create("s" + i);
      putInOrder("s" + i);
    }
    create("new");
    Watcher watcher = start(OFTEN);
    await().until(() -> watcher.stats().stacks() == 21 && watcher.stats().delivered() == 1);
    // Two complete lists later still nothing: the first may have begun before the condition held.
    var first = watcher.stats().lastList();
    await().until(() -> watcher.stats().lastList().isAfter(first));
    var second = watcher.stats().lastList();
    await().until(() -> watcher.stats().lastList().isAfter(second));
    assertThat(starter.calls).containsExactly("new");
  }

  @Test
  void aMissingDefinitionIsWaitedFor() {
    Watcher watcher = start(NEVER);
    await().until(() -> watcher.stats().watchStarts() > 2);
    assertThat(watcher.healthy()).isFalse();
    install();
    create("a");
    await().until(() -> watcher.healthy() && starter.deliveredNames().equals(List.of("a")));
  }

  @Test
  void anApiServerThatFailsAtTheStartIsWaitedFor() {
    install();
    create("a");
    server.faults().answer(3, request -> request.is("list", "stacks.pulumi.com"), 500);
    Watcher watcher = start(NEVER);
    await().until(() -> watcher.healthy() && starter.deliveredNames().equals(List.of("a")));
    assertThat(watcher.stats().watchStarts()).isEqualTo(4);
  }

  @Test
  void aWatchThatWasClosedAndHasMissedThePastGoesOn() {
    install();
    Watcher watcher = start(NEVER);
    await().until(() -> watcher.healthy() && server.openWatches() == 1);
    server.faults().forgetHistory();
    server.faults().closeWatches();
    create("a");
    await().until(() -> starter.deliveredNames().equals(List.of("a")));
  }

  @Test
  void aSilentWatchIsNoticedAndWhatItMissedIsFound() {
    install();
    Watcher watcher = start(OFTEN);
    await().until(() -> watcher.healthy() && server.openWatches() == 1);
    server.faults().silenceWatches();
    create("a");
    await().until(() -> starter.deliveredNames().equals(List.of("a")));
    await().until(() -> watcher.stats().watchStarts() > 1);
    server.faults().clear();
    await().until(() -> watcher.healthy());
    create("b");
    await().until(() -> starter.deliveredNames().equals(List.of("a", "b")));
  }

  @Test
  void aDeletedStackIsForgotten() {
    install();
    Watcher watcher = start(NEVER);
    await().until(watcher::healthy);
    stacks().resource(unmanaged(Stacks.inOrder("a").withoutFinalizer())).create();
    await().until(() -> watcher.stats().stacks() == 1);
    stacks().withName("a").delete();
    await().until(() -> watcher.stats().stacks() == 0);
  }

  @Test
  void badObjectsOnTheServerConcernNoOther() {
    client.resource(permissive(Crds.stack())).create();
    GenericKubernetesResource bad = stack("bad");
    bad.setAdditionalProperty("spec", "nonsense");
    stacks().resource(bad).create();
    create("good");
    Watcher watcher = start(NEVER);
    await().until(() -> starter.deliveredNames().size() == 2);
    assertThat(starter.deliveredNames()).containsExactlyInAnyOrder("bad", "good");
    await().until(watcher::healthy);
  }

  @Test
  void aSecretThatIsWrittenWakesItsStackAndTheWatcherNeverGetsWhatIsInIt() {
    install();
    start(NEVER);
    create("a", Map.of("stack", "dev", "envSecrets", List.of("keys")));
    await().until(() -> starter.deliveredNames().equals(List.of("a")));
    putInOrder("a");
    secret("one");
    await().until(() -> starter.deliveredNames().equals(List.of("a", "a")));
    secret("two");
    await().until(() -> starter.deliveredNames().equals(List.of("a", "a", "a")));
    assertThat(starter.delivered.getLast().reason()).isEqualTo("secrets keys has changed");

    try (KubernetesClient metadata = MetadataOnly.like(client)) {
      ObjectApi secrets = new ObjectApi(metadata, ReferencedKind.SECRETS.context(), "");
      List<GenericKubernetesResource> seen = new ArrayList<>();
      secrets.forEach(seen::add);
      assertThat(seen).hasSize(1);
      assertThat(seen.getFirst().getAdditionalProperties()).isEmpty();
    }
  }

  @Test
  void aKindOfWhichThereIsNothingYetIsWatchedAtTheFirstTry() {
    try (KubernetesClient metadata = MetadataOnly.like(client)) {
      ObjectApi secrets = new ObjectApi(metadata, ReferencedKind.SECRETS.context(), "");
      List<String> seen = new CopyOnWriteArrayList<>();
      ObjectWatch watch =
          new ObjectWatch(
              secrets,
              new ResourceEventHandler<>() {
                @Override
                public void onAdd(GenericKubernetesResource secret) {
                  seen.add(secret.getMetadata().getName());
                }

                @Override
                public void onUpdate(
                    GenericKubernetesResource before, GenericKubernetesResource secret) {}

                @Override
                public void onDelete(GenericKubernetesResource secret, boolean unknown) {}
              },
              OFTEN,
              WatcherTest::shortPause);
      Thread thread =
          Thread.startVirtualThread(
              () -> {
                try {
                  watch.run();
                } catch (InterruptedException ended) {
                  Thread.currentThread().interrupt();
                }
              });
      await().until(watch::watching);
      secret("one");
      await().until(() -> seen.equals(List.of("keys")));
      assertThat(watch.starts()).isEqualTo(1);
      thread.interrupt();
    }
  }

  @Test
  void aChangedProgramWakesItsStack() {
    install();
    client.resource(Crds.program()).create();
    start(NEVER);
    create("a", Map.of("stack", "dev", "programRef", Map.of("name", "site")));
    await().until(() -> starter.deliveredNames().equals(List.of("a")));
    putInOrder("a");
    GenericKubernetesResource program = new GenericKubernetesResource();
    program.setApiVersion("pulumi.com/v1");
    program.setKind("Program");
    program.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("site").build());
    program.setAdditionalProperty("program", Map.of("resources", Map.of()));
    client.resource(program).create();
    await().until(() -> starter.deliveredNames().equals(List.of("a", "a")));
    assertThat(starter.delivered.getLast().reason()).isEqualTo("source has moved");
  }

  @Test
  void withoutTheRightToWatchSecretsAllElseGoesOn() {
    install();
    server.faults().answer(1_000, request -> request.resource().equals("secrets"), 403);
    Watcher watcher = start(NEVER);
    create("a", Map.of("stack", "dev", "envSecrets", List.of("keys")));
    await().until(() -> starter.deliveredNames().equals(List.of("a")));
    create("b");
    await().until(() -> starter.deliveredNames().equals(List.of("a", "b")));
    assertThat(watcher.healthy()).isTrue();
    putInOrder("a");

    server.faults().clear();
    secret("one");
    await().until(() -> starter.deliveredNames().equals(List.of("a", "b", "a")));
  }

  @Test
  void twoWatchersStartOneWorkflow() {
    install();
    create("a");
    try (TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance()) {
      List<Watcher> two = List.of(started(real(temporal), NEVER), started(real(temporal), NEVER));
      await().until(() -> two.stream().allMatch(watcher -> watcher.stats().delivered() == 1));
      assertThat(openWorkflows(temporal.getWorkflowClient()))
          .containsExactly(
              "stack/default/a/" + stacks().withName("a").get().getMetadata().getUid());
    }
  }

  @Test
  void aLoopThatEndedForGoodIsTold() {
    install();
    RunStarter broken =
        desire -> {
          throw new NoClassDefFoundError("planted");
        };
    Watcher watcher = started(broken, NEVER);
    create("a");
    await()
        .dontCatchUncaughtExceptions()
        .until(() -> watcher.endedLoops().equals(List.of("delivery")));
    watchers.remove(watcher);
    watcher.close();
    assertThat(watcher.endedLoops()).containsExactly("delivery");
  }

  @Test
  void aClosedWatcherAsksNothingMore() {
    install();
    Watcher watcher = start(OFTEN);
    await().until(() -> watcher.stats().lastList().isAfter(Instant.EPOCH));
    watcher.close();
    await().until(() -> server.openWatches() == 0);
    long starts = watcher.stats().watchStarts();
    create("a");
    // A second watcher has seen it by then; the closed one has not.
    started(new FakeStarter(), NEVER);
    await().until(() -> watchers.getLast().stats().delivered() == 1);
    assertThat(starter.calls).isEmpty();
    assertThat(watcher.stats().watchStarts()).isEqualTo(starts);
  }

  private Watcher start(Duration resync) {
    return started(starter, resync);
  }

  private Watcher started(RunStarter runs, Duration resync) {
    Watcher watcher =
        new Watcher(
            WatcherConfig.of("here").withResyncInterval(resync),
            client,
            runs,
            stack -> Optional.empty(),
            InstantSource.system(),
            WatcherTest::shortPause);
    watchers.add(watcher);
    watcher.start();
    return watcher;
  }

  /** Back-offs and grace periods pass quickly; an hour stays an hour. */
  private static void shortPause(Duration duration) throws InterruptedException {
    boolean never = duration.compareTo(NEVER) >= 0;
    Thread.sleep(never || duration.compareTo(OFTEN) < 0 ? duration : OFTEN);
  }

  private static RunStarter real(TestWorkflowEnvironment temporal) {
    return new WorkflowStarter(temporal.getWorkflowClient(), "here", Duration.ofSeconds(30));
  }

  private static List<String> openWorkflows(WorkflowClient temporal) {
    return temporal
        .getWorkflowServiceStubs()
        .blockingStub()
        .listOpenWorkflowExecutions(
            ListOpenWorkflowExecutionsRequest.newBuilder()
                .setNamespace(temporal.getOptions().getNamespace())
                .build())
        .getExecutionsList()
        .stream()
        .map(open -> open.getExecution().getWorkflowId())
        .toList();
  }

  private void install() {
    client.resource(Crds.stack()).create();
  }

  private static CustomResourceDefinition permissive(CustomResourceDefinition definition) {
    definition
        .getSpec()
        .getVersions()
        .forEach(
            version -> {
              version.getSchema().getOpenAPIV3Schema().setProperties(Map.of());
              version.getSchema().getOpenAPIV3Schema().setRequired(List.of());
              version.getSchema().getOpenAPIV3Schema().setXKubernetesPreserveUnknownFields(true);
            });
    return definition;
  }

  private void create(String name) {
    stacks().resource(stack(name)).create();
  }

  private void create(String name, Map<String, Object> spec) {
    GenericKubernetesResource stack = stack(name);
    stack.setAdditionalProperty("spec", spec);
    stacks().resource(stack).create();
  }

  private void secret(String value) {
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("keys")
                .endMetadata()
                .addToStringData("KEY", value)
                .build())
        .forceConflicts()
        .serverSideApply();
  }

  private static GenericKubernetesResource stack(String name) {
    return unmanaged(Stacks.inOrder(name));
  }

  /** Without what the server sets. */
  private static GenericKubernetesResource unmanaged(Stacks built) {
    GenericKubernetesResource stack = built.withoutStatus();
    stack.getMetadata().setUid(null);
    stack.getMetadata().setResourceVersion(null);
    stack.getMetadata().setGeneration(null);
    return stack;
  }

  private void putInOrder(String name) {
    stacks()
        .withName(name)
        .editStatus(
            stack -> {
              stack.setAdditionalProperty(
                  "status",
                  Stacks.inOrder(name)
                      .status("observedGeneration", 1)
                      .retry("failures", 0)
                      .retry("nextWakeTime", "2999-01-01T00:00:00Z")
                      .build()
                      .getAdditionalProperties()
                      .get("status"));
              return stack;
            });
  }

  private void touch(String name) {
    stacks()
        .withName(name)
        .edit(
            stack -> {
              stack.getMetadata().setLabels(Map.of("touched", "yes"));
              return stack;
            });
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      stacks() {
    return client
        .genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup("pulumi.com")
                .withVersion("v1")
                .withKind("Stack")
                .withPlural("stacks")
                .withNamespaced(true)
                .build())
        .inNamespace("default");
  }
}
