package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackLookups;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.UpResult;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.operation.Failure;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.State;
import dev.reprise.proto.operation.WatchResponse;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityWorkerShutdownException;
import io.temporal.failure.TimeoutFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunOperationTest {
  private static final StackRef STACK = new StackRef("apps", "web", "u-1");
  private static final String ID = "u-1/3/up/web-1a";
  private static final String CANARY = "canary-7d1f0c";

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-12-01T00:00:00Z"));
  private final List<Secret> kept = new CopyOnWriteArrayList<>();
  private final List<Progress> beats = new CopyOnWriteArrayList<>();
  private final List<TestActivityEnvironment> environments = new ArrayList<>();
  private final FakeWorkspaces workspaces = new FakeWorkspaces();
  private Results results =
      secret -> {
        kept.add(secret);
        return "";
      };
  private StackLookup stack = found(3, false, Map.of());
  private FakeAgent agent;

  @BeforeEach
  void start() throws Exception {
    use(FakeAgent.own());
  }

  @AfterEach
  void stop() {
    environments.forEach(TestActivityEnvironment::close);
    agent.close();
  }

  // --- the plain way

  @Test
  void aSucceededUpKeepsItsOutputsBeforeItAnswers() throws Exception {
    agent.up =
        (id, stream) -> {
          stream.onNext(FakeAgent.line("hello"));
          stream.onNext(FakeAgent.end(FakeAgent.result("succeeded", outputs("url", "\"x\""))));
          stream.onCompleted();
        };
    OperationOutput output = run(false);
    assertThat(output).isEqualTo(new OperationOutput(Outcome.SUCCEEDED, "", true, ""));
    assertThat(kept)
        .singleElement()
        .satisfies(s -> assertThat(s.getMetadata().getName()).isEqualTo("web-1a-stack-outputs"))
        .satisfies(s -> assertThat(s.getData()).containsOnlyKeys("url"));
    assertThat(agent.calls).containsExactly("SelectStack dev", "Up " + ID);
    assertThat(agent.authorization).isEqualTo("Bearer token-of-test");
    assertThat(beats.getLast().lastLine()).isEqualTo("hello");
  }

  @Test
  void runsAsATemporalActivityAndHeartbeats() throws Exception {
    agent.up =
        (id, stream) -> {
          stream.onNext(FakeAgent.line("one"));
          await().until(() -> !beats.isEmpty());
          stream.onNext(FakeAgent.end(FakeAgent.result("succeeded", Map.of())));
          stream.onCompleted();
        };
    TestActivityEnvironment env = environment();
    env.setActivityHeartbeatListener(Progress.class, beats::add);
    assertThat(stub(env).runOperation(input()).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(beats).first().satisfies(b -> assertThat(b.operationId()).isEqualTo(ID));
  }

  @Test
  void anotherResultThanSucceededIsAFailureWithAMessage() throws Exception {
    agent.up = (id, stream) -> end(stream, FakeAgent.result("failed", Map.of()));
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.OPERATION_FAILED);
    assertThat(output.message()).isEqualTo("up ended as \"failed\"");
  }

  @Test
  void aFailedOperationTellsWhyInShortAndKeepsTheTextInTheSecret() throws Exception {
    String text = "up failed: exit status 255\n" + "noise\n".repeat(500) + "error: bucket is taken";
    agent.up = (id, stream) -> fail(stream, Status.UNKNOWN.withDescription(text));
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.OPERATION_FAILED);
    assertThat(output.message())
        .startsWith("up failed: exit status 255")
        .endsWith("error: bucket is taken")
        .hasSizeLessThanOrEqualTo(500);
    assertThat(kept.getFirst().getMetadata().getAnnotations().get(ResultSecret.MESSAGE))
        .isEqualTo(text);
  }

  @Test
  void secretsAreMaskedInMessagesHeartbeatsAndTheKeptText() throws Exception {
    agent.up =
        (id, stream) -> {
          stream.onNext(FakeAgent.line("the password is " + CANARY));
          fail(stream, Status.UNKNOWN.withDescription("up failed: bad password " + CANARY));
        };
    OperationOutput output = run(false);
    assertThat(output.message()).isEqualTo("up failed: bad password [secret]");
    assertThat(beats.toString()).contains("[secret]").doesNotContain(CANARY);
    assertThat(kept.toString()).doesNotContain(CANARY);
  }

  // --- before anything is sent

  @Test
  void nothingIsSentForAStackThatIsNoLongerWhatWasDecidedOn() throws Exception {
    for (StackLookup other :
        List.of(
            found(4, false, Map.of()),
            found(3, true, Map.of()),
            found(3, false, Map.of("reprise.dev/paused", "true")),
            new StackLookup.Gone(),
            new StackLookup.Unreadable("no right"))) {
      stack = other;
      OperationOutput output = run(false);
      assertThat(output.outcome()).isEqualTo(Outcome.SUPERSEDED);
      assertThat(output.sent()).isFalse();
      assertThat(output.message()).isNotEmpty();
    }
    assertThat(agent.calls).isEmpty();
  }

  @Test
  void aRefusedSelectionIsAFailedWorkspaceAndNothingIsSent() throws Exception {
    agent.select = Status.NOT_FOUND.withDescription("no such stack");
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.WORKSPACE_FAILED);
    assertThat(output.message()).contains("no such stack");
    assertThat(output.sent()).isFalse();
    assertThat(kept).isEmpty();
    agent.select = Status.UNAUTHENTICATED;
    assertThat(run(false).outcome()).isEqualTo(Outcome.ACCESS_DENIED);
  }

  @Test
  void anAgentThatNeverAnswersIsUnreachable() throws Exception {
    agent.close();
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.UNREACHABLE);
    assertThat(output.sent()).isFalse();
    workspaces.endpoint = Optional.empty();
    assertThat(run(false).outcome()).isEqualTo(Outcome.UNREACHABLE);
  }

  @Test
  void anApiServerThatStumblesIsAskedAgain() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    agent.up = (id, stream) -> end(stream, FakeAgent.result("succeeded", Map.of()));
    RunOperation.Parts flaky =
        parts(
            ref -> {
              if (reads.getAndIncrement() == 0) {
                throw new KubernetesClientException("busy", 503, null);
              }
              return stack;
            });
    assertThat(new OperationAttempt(flaky, input(), false, beats::add).run().outcome())
        .isEqualTo(Outcome.SUCCEEDED);
  }

  // --- later attempts

  @Test
  void aLaterAttemptAttachesToWhatRunsAndSendsNothing() throws Exception {
    agent.running(ID, now.get(), now.get());
    agent.watch =
        (id, stream) -> {
          stream.onNext(FakeAgent.watched(FakeAgent.result("succeeded", outputs("a", "1")), false));
          stream.onCompleted();
        };
    assertThat(run(true).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(agent.calls).containsExactly("Describe " + ID, "Watch " + ID);
    assertThat(kept).hasSize(1);
  }

  @Test
  void aLaterAttemptSendsWhatTheAgentNeverGot() throws Exception {
    agent.up = (id, stream) -> end(stream, FakeAgent.result("succeeded", Map.of()));
    assertThat(run(true).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(agent.calls).containsExactly("Describe " + ID, "SelectStack dev", "Up " + ID);
  }

  @Test
  void aLaterAttemptNeverSendsToAnAgentThatCannotBeAsked() throws Exception {
    use(FakeAgent.plain());
    OperationOutput output = run(true);
    assertThat(output.outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(output.sent()).isTrue();
    assertThat(agent.calls).isEmpty();
  }

  @Test
  void anOperationWhoseAgentDiedIsInterrupted() throws Exception {
    agent.state(ID, State.STATE_INTERRUPTED);
    assertThat(run(true).outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(agent.count("Up")).isZero();
  }

  @Test
  void heartbeatDetailsOfThisOperationMakeALaterAttempt() throws Exception {
    agent.state(ID, State.STATE_INTERRUPTED);
    TestActivityEnvironment env = environment();
    env.setHeartbeatDetails(new Progress(ID, 1, 0, 0, ""));
    assertThat(stub(env).runOperation(input()).outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(agent.count("Up")).isZero();
  }

  // --- lost on the way

  @Test
  void aStreamThatBreaksIsTakenUpAgainByItsId() throws Exception {
    agent.up =
        (id, stream) -> {
          agent.running(id, now.get(), now.get());
          fail(stream, Status.UNAVAILABLE.withDescription("connection reset"));
        };
    agent.watch =
        (id, stream) -> {
          stream.onNext(FakeAgent.watched(FakeAgent.result("succeeded", Map.of()), false));
          stream.onCompleted();
        };
    assertThat(run(false).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(agent.count("Up")).isEqualTo(1);
    assertThat(agent.count("Watch")).isEqualTo(1);
  }

  @Test
  void anAgentThatIsKilledAndComesBackWithoutTheOperationInterruptsIt() throws Exception {
    int port = agent.port();
    CompletableFuture<String> sent = new CompletableFuture<>();
    agent.up = (id, stream) -> sent.complete(id);
    CompletableFuture<OperationOutput> running =
        CompletableFuture.supplyAsync(() -> runQuietly(false));
    sent.join();
    agent.close();
    agent = FakeAgent.own(port);
    agent.state(ID, State.STATE_INTERRUPTED);
    assertThat(running.join().outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(agent.count("Up")).isZero();
  }

  @Test
  void aBrokenStreamOfAPlainAgentIsInterrupted() throws Exception {
    use(FakeAgent.plain());
    agent.up = (id, stream) -> fail(stream, Status.UNAVAILABLE);
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(output.sent()).isTrue();
  }

  @Test
  void aStreamThatClosesWithoutAResultIsCountedAsSuch() throws Exception {
    agent.up = (id, stream) -> stream.onCompleted();
    assertThat(run(false).outcome()).isEqualTo(Outcome.ENDED_WITHOUT_RESULT);
    use(FakeAgent.plain());
    agent.up = (id, stream) -> stream.onCompleted();
    assertThat(run(false).outcome()).isEqualTo(Outcome.ENDED_WITHOUT_RESULT);
  }

  // --- busy

  @Test
  void theSameWorkUnderAnotherIdGivesItsResult() throws Exception {
    String other = "u-1/3/up/web-09";
    refuse(other);
    agent.watch =
        (id, stream) -> {
          stream.onNext(FakeAgent.watched(FakeAgent.result("succeeded", outputs("a", "1")), false));
          stream.onCompleted();
        };
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(kept.getFirst().getMetadata().getName()).isEqualTo("web-1a-stack-outputs");
    assertThat(agent.calls).contains("Watch " + other);
  }

  @Test
  void otherWorkIsWaitedForAndLeavesTheAttemptUnsent() throws Exception {
    refuse("u-1/2/up/web-09");
    agent.watch =
        (id, stream) -> {
          stream.onNext(FakeAgent.watched(FakeAgent.result("succeeded", Map.of()), false));
          stream.onCompleted();
        };
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.BUSY);
    assertThat(output.sent()).isFalse();
    assertThat(kept).isEmpty();
  }

  // --- cancel and limits

  @Test
  void aCancelIsPassedOnAndFollowedToTheEnd() throws Exception {
    cancellableUp();
    TestActivityEnvironment env = environment();
    env.requestCancelActivity();
    // The first heartbeat is sent before the call, so the cancel is known before anything runs.
    OperationOutput output = stub(env).runOperation(input());
    assertThat(output.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(output.sent()).isFalse();
    OperationOutput sent = run(false, cancelAfterSending(new ActivityCanceledException()));
    assertThat(sent.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(sent.sent()).isTrue();
    assertThat(agent.calls).contains("Cancel " + ID + " cancelled on request");
  }

  @Test
  void anOperationThatFinishesBeforeItsCancelTakesEffectHasFinished() throws Exception {
    AtomicReference<StreamObserver<UpStream>> open = new AtomicReference<>();
    agent.up =
        (id, stream) -> {
          open.set(stream);
          agent.running(id, now.get(), now.get());
        };
    agent.cancel = (id, reason) -> end(open.get(), FakeAgent.result("succeeded", Map.of()));
    assertThat(run(false, cancelAfterSending(new ActivityCanceledException())).outcome())
        .isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void aPlainAgentIsCancelledByEndingTheCall() throws Exception {
    use(FakeAgent.plain());
    OperationOutput output = run(false, cancelAfterSending(new ActivityCanceledException()));
    assertThat(output.outcome()).isEqualTo(Outcome.CANCELLED);
    await().until(() -> agent.hungUpOn);
  }

  @Test
  void everythingButTheWorkflowsCancelOnlyDetaches() {
    cancellableUp();
    TimeoutFailure lost = new TimeoutFailure("heartbeat", null, TimeoutType.TIMEOUT_TYPE_HEARTBEAT);
    for (RuntimeException detach :
        List.of(new ActivityWorkerShutdownException(), new ActivityCanceledException(null, lost))) {
      assertThatThrownBy(() -> run(false, cancelAfterSending(detach))).isSameAs(detach);
    }
    assertThat(agent.count("Cancel")).isZero();
    assertThat(kept).isEmpty();
  }

  @Test
  void silenceBeyondTheIdleTimeoutIsCancelled() throws Exception {
    cancellableUp();
    OperationOutput output =
        new OperationAttempt(
                parts(ref -> stack),
                limited(Duration.ofHours(2), Duration.ZERO),
                false,
                beat -> {
                  if (agent.count("Cancel") == 0) {
                    now.updateAndGet(t -> t.plus(Duration.ofMinutes(30)));
                  }
                })
            .run();
    assertThat(output.outcome()).isEqualTo(Outcome.IDLE_TIMEOUT);
    assertThat(output.message()).contains("idle timeout");
  }

  @Test
  void limitsCountFromTheAgentsTimesSoThatALaterAttemptDoesNotBeginAfresh() throws Exception {
    agent.running(ID, now.get().minus(Duration.ofHours(3)), now.get());
    AtomicReference<StreamObserver<WatchResponse>> open = new AtomicReference<>();
    agent.watch = (id, stream) -> open.set(stream);
    agent.cancel =
        (id, reason) -> {
          open.get().onNext(FakeAgent.watched(FakeAgent.result("failed", Map.of()), true));
          open.get().onCompleted();
        };
    OperationOutput output =
        new OperationAttempt(
                parts(ref -> stack), limited(Duration.ZERO, Duration.ofHours(1)), true, beats::add)
            .run();
    assertThat(agent.calls).anyMatch(call -> call.startsWith("Cancel " + ID + " timeout"));
    assertThat(output.outcome()).isEqualTo(Outcome.TIMEOUT);
  }

  @Test
  void anOperationThatDoesNotEndAfterItsCancelIsLeft() throws Exception {
    agent.up = (id, stream) -> agent.running(id, now.get(), now.get());
    Consumer<Progress> cancel = cancelAfterSending(new ActivityCanceledException());
    OperationOutput output =
        run(
            false,
            beat -> {
              now.updateAndGet(t -> t.plus(Duration.ofMinutes(1)));
              cancel.accept(beat);
            });
    assertThat(output.outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(output.message()).contains("did not end");
  }

  // --- keeping the result

  @Test
  void aResultThatCannotBeKeptForGoodCompletesWithANote() throws Exception {
    agent.up = (id, stream) -> end(stream, FakeAgent.result("succeeded", Map.of()));
    results = secret -> "its outputs could not be kept";
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(output.message()).isEqualTo("its outputs could not be kept");
  }

  @Test
  void anApiServerThatStumblesGetsTheResultAgain() throws Exception {
    agent.up = (id, stream) -> end(stream, FakeAgent.result("succeeded", Map.of()));
    results =
        secret -> {
          kept.add(secret);
          if (kept.size() == 1) {
            throw new KubernetesClientException("busy", 503, null);
          }
          return "";
        };
    assertThat(run(false).message()).isEmpty();
    assertThat(kept).hasSize(2);
  }

  // --- helpers

  private void use(FakeAgent other) {
    if (agent != null) {
      agent.close();
    }
    agent = other;
    workspaces.endpoint = Optional.of(agent.endpoint());
  }

  private void cancellableUp() {
    AtomicReference<StreamObserver<UpStream>> open = new AtomicReference<>();
    agent.up =
        (id, stream) -> {
          open.set(stream);
          agent.running(id, now.get(), now.get());
        };
    agent.watch =
        (id, stream) -> {
          stream.onNext(
              WatchResponse.newBuilder()
                  .setResult(
                      Result.newBuilder()
                          .setCancelled(true)
                          .setFailure(
                              Failure.newBuilder()
                                  .setCode(Status.Code.CANCELLED.value())
                                  .setMessage("cancelled")))
                  .build());
          stream.onCompleted();
        };
    agent.cancel = (id, reason) -> fail(open.get(), Status.CANCELLED.withDescription(reason));
  }

  private Consumer<Progress> cancelAfterSending(RuntimeException thrown) {
    return beat -> {
      beats.add(beat);
      if (agent.count("Up") > 0) {
        throw thrown;
      }
    };
  }

  private void refuse(String runningId) {
    agent.running(runningId, now.get(), now.get());
    agent.up =
        (id, stream) -> {
          Metadata trailers = new Metadata();
          trailers.put(AgentConnection.RUNNING_OPERATION_ID, runningId);
          stream.onError(new StatusRuntimeException(Status.ABORTED, trailers));
        };
  }

  private TestActivityEnvironment environment() {
    TestActivityEnvironment env = TestActivityEnvironment.newInstance();
    environments.add(env);
    return env;
  }

  private OperationActivity stub(TestActivityEnvironment env) {
    env.registerActivitiesImplementations(new RunOperation(parts(ref -> stack)));
    return env.newActivityStub(
        OperationActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMinutes(1))
            .setHeartbeatTimeout(Duration.ofSeconds(2))
            .build());
  }

  private OperationOutput run(boolean mayHaveSent) throws InterruptedException {
    return run(
        mayHaveSent,
        beat -> {
          beats.add(beat);
          now.updateAndGet(t -> t.plus(Duration.ofSeconds(15)));
        });
  }

  private OperationOutput run(boolean mayHaveSent, Consumer<Progress> heartbeat)
      throws InterruptedException {
    return new OperationAttempt(parts(ref -> stack), input(), mayHaveSent, heartbeat).run();
  }

  private OperationOutput runQuietly(boolean mayHaveSent) {
    try {
      return run(mayHaveSent);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private RunOperation.Parts parts(StackLookups lookups) {
    Timing timing =
        new Timing(
            () -> now.get(),
            Duration.ofMillis(20),
            Duration.ofMinutes(2),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofMinutes(15));
    return new RunOperation.Parts(
        lookups,
        new StackReader(Policy.DEFAULTS),
        s -> List.of(CANARY),
        workspaces,
        results,
        timing);
  }

  private static OperationInput input() {
    return limitedInput(Duration.ZERO, Duration.ZERO);
  }

  private static OperationInput limited(Duration idle, Duration timeout) {
    return limitedInput(idle, timeout);
  }

  private static OperationInput limitedInput(Duration idle, Duration timeout) {
    return new OperationInput(STACK, 3, OperationKind.UP, false, ID, "web-1a", idle, timeout);
  }

  private static Map<String, OutputValue> outputs(String name, String json) {
    return Map.of(name, OutputValue.newBuilder().setValue(ByteString.copyFromUtf8(json)).build());
  }

  private static void end(StreamObserver<UpStream> stream, UpResult result) {
    stream.onNext(FakeAgent.end(result));
    stream.onCompleted();
  }

  private static void fail(StreamObserver<?> stream, Status status) {
    stream.onError(new StatusRuntimeException(status));
  }

  private static StackLookup found(
      long generation, boolean deleting, Map<String, String> annotations) {
    GenericKubernetesResource resource = new GenericKubernetesResource();
    resource.setApiVersion("pulumi.com/v1");
    resource.setKind("Stack");
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("apps")
            .withName("web")
            .withUid("u-1")
            .withGeneration(generation)
            .withAnnotations(annotations)
            .withDeletionTimestamp(deleting ? "2026-12-01T00:00:00Z" : null)
            .build());
    resource.setAdditionalProperty("spec", Map.of("stack", "dev"));
    return new StackLookup.Found(resource);
  }
}
