package dev.reprise.activities.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.kube.ConfigValue;
import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.StackInputs;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.proto.operation.State;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.grpc.Status;
import io.temporal.client.ActivityCanceledException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.StringNode;

@Timeout(60)
class PreparationTest {
  private static final StackRef STACK = new StackRef("apps", "web", "u-1");
  private static final String CANARY = "canary-2b7e";

  private final Placements placements = new Placements();
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private Duration pace = Duration.ofMillis(10);
  private StackLookup stack = found(false, Map.of());
  private FakeAgent agent;
  private final List<ConfigValue> config =
      List.of(
          new ConfigValue("region", StringNode.valueOf("eu"), false),
          new ConfigValue("pw", StringNode.valueOf(CANARY), true));

  @BeforeEach
  void start() throws Exception {
    use(FakeAgent.own());
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  @Test
  void aWorkspaceIsInstalledSelectedAndConfiguredInThisOrder() {
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.calls)
        .containsExactly(
            "Describe ", "Install", "SelectStack dev", "SetAllConfig", "AddEnvironments [prod]");
    assertThat(agent.config.getConfigList())
        .extracting(c -> c.getKey() + "=" + c.getValue().getStringValue() + c.getSecret())
        .containsExactly("region=eufalse", "pw=" + CANARY + "true");
  }

  @Test
  void aWorkspaceThatTakesLongIsLookedAtSeldomButItsWaitHearsACancellationAtOnce() {
    placements.next.add(new Placement.Starting("a node", Duration.ofMillis(100)));
    List<String> beats = new ArrayList<>();
    assertThat(ensure(OperationKind.UP, "r1", beats::add)).isEqualTo(WorkspaceOutput.READY);
    assertThat(beats.subList(0, 10)).containsOnly("waiting for a node");

    placements.next.add(new Placement.Starting("a node", Duration.ofDays(1)));
    beats.clear();
    assertThatThrownBy(
            () ->
                ensure(
                    OperationKind.UP,
                    "r1",
                    beat -> {
                      beats.add(beat);
                      if (beats.size() == 3) {
                        throw new IllegalStateException("cancelled");
                      }
                    }))
        .hasMessage("cancelled");
    assertThat(placements.next).isEmpty();
  }

  @Test
  void whatWasPreparedBeforeIsNotPreparedAgain() {
    placements.next.add(new Placement.Ready(agent.endpoint(), false, "pod-1", false));
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
    assertThat(placements.preparedInstances).containsExactly("pod-1");

    placements.next.add(new Placement.Ready(agent.endpoint(), false, "pod-1", true));
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.count("Install")).isEqualTo(1);
    assertThat(placements.preparedInstances).hasSize(1);
  }

  @Test
  void whatCouldNotBePreparedIsNotTakenForPrepared() {
    agent.install = Status.ABORTED;
    placements.next.add(new Placement.Ready(agent.endpoint(), false, "pod-1", false));
    assertThat(ensure(OperationKind.UP, "r1").outcome()).isEqualTo(Outcome.WORKSPACE_FAILED);
    assertThat(placements.preparedInstances).isEmpty();
  }

  @Test
  void aDestroyWithoutASourceInstallsNothing() {
    assertThat(ensure(OperationKind.DESTROY, "")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.count("Install")).isZero();
    assertThat(ensure(OperationKind.DESTROY, "r1")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.count("Install")).isEqualTo(1);
  }

  @Test
  void aDestroyThatRunsTheProgramNeedsWhatItDependsOn() {
    stack = found(true, Map.of("runProgram", true));
    assertThat(ensure(OperationKind.DESTROY, "")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.count("Install")).isEqualTo(1);
    stack = found(true, Map.of("updateTemplate", Map.of("spec", Map.of("runProgram", true))));
    assertThat(ensure(OperationKind.DESTROY, "")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.count("Install")).isEqualTo(2);
  }

  @Test
  void whatRunsForTheSameWorkIsLeftToBeFollowed() {
    agent.runningNow("u-1/3/up/web-1a");
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
    assertThat(agent.count("Install")).isZero();
    assertThat(agent.count("SelectStack")).isZero();

    pace = Duration.ofSeconds(10);
    assertThat(ensure(OperationKind.DESTROY, "r1").outcome()).isEqualTo(Outcome.BUSY);
  }

  @Test
  void nothingIsTouchedWhileAnOperationRuns() {
    agent.running("", Instant.EPOCH, Instant.EPOCH);
    List<String> beats = new ArrayList<>();
    ensure(
        OperationKind.UP,
        "r1",
        beat -> {
          beats.add(beat);
          if (beats.size() == 3) {
            assertThat(agent.count("Install")).isZero();
            agent.state("", State.STATE_FINISHED);
          }
        });
    assertThat(beats).startsWith("waiting for the operation that runs in the workspace");
    assertThat(agent.count("Install")).isEqualTo(1);
  }

  @Test
  void aPlainAgentIsAskedForAnUpdateInProgress() throws Exception {
    use(FakeAgent.plain());
    agent.updateInProgress = true;
    ensure(
        OperationKind.UP,
        "r1",
        beat -> {
          if (beat.startsWith("waiting")) {
            assertThat(agent.count("Install")).isZero();
            agent.updateInProgress = false;
          }
        });
    assertThat(agent.calls)
        .containsSubsequence("SelectStack dev", "Info", "Info", "Install", "SelectStack dev");
  }

  @Test
  void failuresOnTheWayAreClassified() {
    agent.install = Status.ABORTED.withDescription("npm: no such package, token " + CANARY);
    assertThat(ensure(OperationKind.UP, "r1"))
        .isEqualTo(
            new WorkspaceOutput(
                Outcome.WORKSPACE_FAILED,
                "installing the program's dependencies failed: npm: no such package, token"
                    + " [secret]"));
    agent.install = Status.OK;
    agent.select = Status.PERMISSION_DENIED;
    assertThat(ensure(OperationKind.UP, "r1").outcome()).isEqualTo(Outcome.ACCESS_DENIED);
  }

  @ParameterizedTest
  @EnumSource(OperationKind.class)
  void whicheverStepFailsTheRealTextIsToldAndTheClassIsThatOfTheCode(OperationKind kind) {
    List<Consumer<Status>> steps =
        List.of(
            s -> agent.install = s,
            s -> agent.select = s,
            s -> agent.configure = s,
            s -> agent.environments = s);
    for (Consumer<Status> step : steps) {
      for (Status.Code code : Status.Code.values()) {
        if (code == Status.Code.OK || unreachable(code)) {
          continue; // Those are asked again for two minutes, by a test of their own.
        }
        step.accept(code.toStatus().withDescription("first words\n" + "x\n".repeat(900) + "last"));
        WorkspaceOutput output = ensure(kind, "r1");
        boolean access =
            code == Status.Code.UNAUTHENTICATED || code == Status.Code.PERMISSION_DENIED;
        assertThat(output.outcome())
            .as(code.name())
            .isEqualTo(access ? Outcome.ACCESS_DENIED : Outcome.WORKSPACE_FAILED);
        assertThat(output.message())
            .contains("failed: first words … ", "last")
            .hasSizeLessThan(1_001);
        step.accept(code.toStatus());
        assertThat(ensure(kind, "r1").message()).contains("failed: " + code);
      }
      step.accept(Status.OK);
    }
  }

  private static boolean unreachable(Status.Code code) {
    return switch (code) {
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, RESOURCE_EXHAUSTED -> true;
      default -> false;
    };
  }

  @Test
  void aRefusedTokenIsFetchedAnewOnce() {
    agent.select = Status.UNAUTHENTICATED;
    agent.beforeSelect =
        () -> {
          if (agent.count("SelectStack") > 1) {
            agent.select = Status.OK;
          }
        };
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
  }

  @Test
  void anAgentThatNeverAnswersIsUnreachableAfterTwoMinutes() {
    agent.close();
    pace = Duration.ofSeconds(10);
    List<String> beats = new ArrayList<>();
    assertThat(ensure(OperationKind.UP, "r1", beats::add).outcome()).isEqualTo(Outcome.UNREACHABLE);
    assertThat(now.get()).isBetween(Instant.ofEpochSecond(120), Instant.ofEpochSecond(180));
    assertThat(beats).contains("waiting for its agent");
  }

  @Test
  void aStepThatTakesTooLongIsAFailedWorkspaceThatNamesTheStepAndItsLimit() {
    CountDownLatch over = new CountDownLatch(1);
    agent.beforeSelect = () -> assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
    pace = Duration.ofSeconds(10);
    assertThat(ensure(OperationKind.UP, "r1"))
        .isEqualTo(
            new WorkspaceOutput(
                Outcome.WORKSPACE_FAILED, "selecting the stack took longer than 120 seconds"));
    over.countDown();
  }

  @Test
  void anOperationThatRunsForLongIsBusyBeforeTheActivitysOwnLimit() {
    agent.running("", Instant.EPOCH, Instant.EPOCH);
    pace = Duration.ofSeconds(10);
    assertThat(ensure(OperationKind.UP, "r1").outcome()).isEqualTo(Outcome.BUSY);
    assertThat(now.get()).isBefore(Instant.ofEpochSecond(900));
    assertThat(agent.count("Install")).isZero();
  }

  @Test
  void aDeletionIsPreparedThoughTheSpecBecameInvalid() {
    stack = found(true, Map.of("refresh", "maybe"));
    assertThat(ensure(OperationKind.DESTROY, "")).isEqualTo(WorkspaceOutput.READY);
    assertThat(placements.purpose)
        .isEqualTo(new Purpose.Deletion(new ProjectInfo("p", "yaml"), ""));
    stack = found(false, Map.of("refresh", "maybe"));
    assertThat(ensure(OperationKind.UP, "r1").outcome()).isEqualTo(Outcome.INPUT_REFUSED);
  }

  @Test
  void anAgentThatIsStillStartingIsWaitedForAndARefusalReturned() {
    placements.next.add(new Placement.Starting("its agent"));
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
    WorkspaceOutput refusal = new WorkspaceOutput(Outcome.INPUT_REFUSED, "no such folder");
    placements.next.add(new Placement.Refused(refusal));
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(refusal);
  }

  @Test
  void anOutdatedAgentIsStartedAnewOnceItIsIdle() {
    placements.next.add(new Placement.Ready(agent.endpoint(), true));
    assertThat(ensure(OperationKind.UP, "r1")).isEqualTo(WorkspaceOutput.READY);
    assertThat(placements.stopped).isEqualTo(1);
    assertThat(agent.calls.subList(0, 3)).containsExactly("Describe ", "Describe ", "Install");
  }

  @Test
  void aCancelInterruptsAtOnce() {
    ActivityCanceledException cancelled = new ActivityCanceledException();
    assertThatThrownBy(
            () ->
                ensure(
                    OperationKind.UP,
                    "r1",
                    beat -> {
                      throw cancelled;
                    }))
        .isSameAs(cancelled);
    assertThat(agent.count("SelectStack")).isZero();
  }

  @Test
  void anotherGenerationSupersedes() {
    WorkspaceInput old = new WorkspaceInput(STACK, 1, OperationKind.UP, "r1");
    assertThat(activity().ensure(old, beat -> {}).outcome()).isEqualTo(Outcome.SUPERSEDED);
    assertThat(agent.calls).isEmpty();
  }

  private void use(FakeAgent other) {
    if (agent != null) {
      agent.close();
    }
    agent = other;
  }

  private WorkspaceOutput ensure(OperationKind kind, String revision) {
    return ensure(kind, revision, beat -> {});
  }

  private WorkspaceOutput ensure(OperationKind kind, String revision, Consumer<String> beat) {
    return activity().ensure(new WorkspaceInput(STACK, 3, kind, revision), beat);
  }

  private EnsureWorkspace activity() {
    return new EnsureWorkspace(
        ref -> stack,
        new StackReader(Policy.DEFAULTS),
        stack -> inputs(),
        placements,
        new EnsureWorkspace.Patience(
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Duration.ofMinutes(2),
            Duration.ofMinutes(14),
            () -> now.getAndUpdate(t -> t.plus(pace))));
  }

  private StackInputs inputs() throws InputMissing {
    return new StackInputs(config, Map.of(), Set.of(), new TreeMap<>(), Set.of(CANARY));
  }

  private static StackLookup found(boolean deleting, Map<String, ?> more) {
    GenericKubernetesResource resource = new GenericKubernetesResource();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("apps")
            .withName("web")
            .withUid("u-1")
            .withGeneration(3L)
            .withDeletionTimestamp(deleting ? "2026-12-01T00:00:00Z" : null)
            .build());
    Map<String, Object> spec = new HashMap<>(more);
    spec.put("stack", "dev");
    spec.put("environment", List.of("prod"));
    resource.setAdditionalProperty("spec", spec);
    resource.setAdditionalProperty(
        "status", Map.of("projectInfo", Map.of("name", "p", "runtime", "yaml")));
    return new StackLookup.Found(resource);
  }

  /** Places the agent of the test, after what a test wants first. */
  private final class Placements implements Workspaces {
    private final Deque<Placement> next = new ArrayDeque<>();
    private Purpose purpose = new Purpose.Operation();
    private final List<String> preparedInstances = new ArrayList<>();
    private int stopped;

    @Override
    public Placement place(WorkspaceRequest request) {
      purpose = request.purpose();
      return next.isEmpty() ? new Placement.Ready(agent.endpoint(), false) : next.remove();
    }

    @Override
    public void prepared(StackRef ref, String instance) {
      preparedInstances.add(instance);
    }

    @Override
    public void rest(StackRef ref, boolean keepObjects) {
      throw new AssertionError("preparing lets nothing rest");
    }

    @Override
    public Optional<Endpoint> locate(StackRef stack) {
      return Optional.of(agent.endpoint());
    }

    @Override
    public boolean running(StackRef stack) {
      return false;
    }

    @Override
    public void stop(StackRef stack) {
      stopped++;
    }

    @Override
    public void delete(StackRef stack) {
      throw new AssertionError("preparing deletes nothing");
    }

    @Override
    public int sweep(Predicate<StackRef> gone) {
      throw new AssertionError("preparing sweeps nothing");
    }
  }
}
