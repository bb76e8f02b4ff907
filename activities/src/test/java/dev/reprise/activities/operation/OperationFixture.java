package dev.reprise.activities.operation;

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
import dev.reprise.proto.operation.WatchResponse;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** An agent that does what a test says, and everything an attempt needs besides. */
@Timeout(60)
abstract class OperationFixture {
  static final StackRef STACK = new StackRef("apps", "web", "u-1");
  static final String ID = "u-1/3/up/web-1a";
  static final String CANARY = "canary-7d1f0c";

  final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-12-01T00:00:00Z"));
  final List<Secret> kept = new CopyOnWriteArrayList<>();
  final List<Progress> beats = new CopyOnWriteArrayList<>();
  final List<TestActivityEnvironment> environments = new ArrayList<>();
  final FakeWorkspaces workspaces = new FakeWorkspaces();
  Results results =
      secret -> {
        kept.add(secret);
        return "";
      };
  SecretValues secrets = of -> List.of(CANARY);
  volatile StackLookup stack = found(3, false, Map.of());
  FakeAgent agent;

  @BeforeEach
  void start() throws Exception {
    agent = FakeAgent.own();
    workspaces.endpoint = Optional.of(agent.endpoint());
  }

  @AfterEach
  void stop() {
    environments.forEach(TestActivityEnvironment::close);
    agent.close();
  }

  void use(FakeAgent other) {
    agent.close();
    agent = other;
    workspaces.endpoint = Optional.of(agent.endpoint());
  }

  void cancellableUp() {
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

  Consumer<Progress> cancelAfterSending(RuntimeException thrown) {
    return beat -> {
      beats.add(beat);
      if (agent.count("Up") > 0) {
        throw thrown;
      }
    };
  }

  void refuse(String runningId) {
    agent.running(runningId, now.get(), now.get());
    agent.up =
        (id, stream) -> {
          Metadata trailers = new Metadata();
          trailers.put(AgentConnection.RUNNING_OPERATION_ID, runningId);
          stream.onError(new StatusRuntimeException(Status.ABORTED, trailers));
        };
  }

  TestActivityEnvironment environment() {
    TestActivityEnvironment env = TestActivityEnvironment.newInstance();
    environments.add(env);
    return env;
  }

  OperationActivity stub(TestActivityEnvironment env) {
    env.registerActivitiesImplementations(new RunOperation(parts(ref -> stack)));
    return env.newActivityStub(
        OperationActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMinutes(1))
            .setHeartbeatTimeout(Duration.ofSeconds(2))
            .build());
  }

  OperationOutput run(boolean mayHaveSent) throws InterruptedException {
    return run(
        mayHaveSent,
        beat -> {
          beats.add(beat);
          now.updateAndGet(t -> t.plus(Duration.ofSeconds(15)));
        });
  }

  OperationOutput run(boolean mayHaveSent, Consumer<Progress> heartbeat)
      throws InterruptedException {
    return new OperationAttempt(parts(ref -> stack), input(), mayHaveSent, heartbeat).run();
  }

  OperationOutput runQuietly(boolean mayHaveSent) {
    try {
      return run(mayHaveSent);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  RunOperation.Parts parts(StackLookups lookups) {
    Timing timing =
        new Timing(
            () -> now.get(),
            Duration.ofMillis(20),
            Duration.ofMinutes(2),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofMinutes(15));
    return new RunOperation.Parts(
        lookups, new StackReader(Policy.DEFAULTS), secrets, workspaces, results, timing);
  }

  static OperationInput input() {
    return limitedInput(Duration.ZERO, Duration.ZERO);
  }

  static OperationInput limited(Duration idle, Duration timeout) {
    return limitedInput(idle, timeout);
  }

  static OperationInput limitedInput(Duration idle, Duration timeout) {
    return new OperationInput(
        STACK, 3, OperationKind.UP, false, ID, "web-1a", false, idle, timeout);
  }

  static OperationInput attachOnly() {
    return new OperationInput(
        STACK, 3, OperationKind.UP, false, ID, "web-1a", true, Duration.ofHours(2), Duration.ZERO);
  }

  static Map<String, OutputValue> outputs(String name, String json) {
    return Map.of(name, OutputValue.newBuilder().setValue(ByteString.copyFromUtf8(json)).build());
  }

  static void end(StreamObserver<UpStream> stream, UpResult result) {
    stream.onNext(FakeAgent.end(result));
    stream.onCompleted();
  }

  static void fail(StreamObserver<?> stream, Status status) {
    stream.onError(new StatusRuntimeException(status));
  }

  static StackLookup found(long generation, boolean deleting, Map<String, String> annotations) {
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
