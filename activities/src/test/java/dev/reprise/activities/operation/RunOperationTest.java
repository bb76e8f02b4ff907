package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunOperationTest extends OperationFixture {

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
    assertThat(beats.getLast().events()).isEqualTo(1);
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
  void secretsAreMaskedInMessagesAndTheKeptTextAndHeartbeatsHoldNoText() throws Exception {
    agent.up =
        (id, stream) -> {
          stream.onNext(FakeAgent.line("the password is " + CANARY));
          fail(stream, Status.UNKNOWN.withDescription("up failed: bad password " + CANARY));
        };
    OperationOutput output = run(false);
    assertThat(output.message()).isEqualTo("up failed: bad password [secret]");
    assertThat(beats.toString()).doesNotContain("password");
    assertThat(kept.toString()).doesNotContain(CANARY);
  }

  @Test
  void aTextThatCannotBeMaskedIsNotShownAndTheSecretsAreReadAgainForTheNext() throws Exception {
    secrets =
        of -> {
          throw new KubernetesClientException("busy", 503, null);
        };
    agent.up = (id, stream) -> fail(stream, Status.UNKNOWN.withDescription("bad " + CANARY));
    OperationOutput output = run(false);
    assertThat(output.outcome()).isEqualTo(Outcome.OPERATION_FAILED);
    assertThat(output.message()).isEqualTo(Masking.NOT_SHOWN);
    assertThat(kept.toString()).doesNotContain(CANARY);

    AtomicInteger reads = new AtomicInteger();
    Masking masking =
        new Masking(
            of -> {
              if (reads.getAndIncrement() == 0) {
                throw new KubernetesClientException("busy", 503, null);
              }
              return List.of(CANARY);
            });
    masking.use(new StackReader(Policy.DEFAULTS).read(((StackLookup.Found) stack).resource()));
    assertThat(masking.apply(CANARY)).isEqualTo(Masking.NOT_SHOWN);
    assertThat(masking.apply(CANARY)).isEqualTo("[secret]");
    assertThat(masking.apply(CANARY)).isEqualTo("[secret]");
    assertThat(reads).hasValue(2);
  }

  @Test
  void aSpecThatBecameInvalidDoesNotStopADestroyAtItsLastCheck() throws Exception {
    GenericKubernetesResource resource = ((StackLookup.Found) found(3, true, Map.of())).resource();
    resource.setAdditionalProperty("spec", Map.of("stack", "dev", "refresh", "maybe"));
    OperationInput destroy =
        new OperationInput(
            STACK,
            3,
            OperationKind.DESTROY,
            true,
            "u-1/3/destroy/web-1a",
            "web-1a",
            false,
            Duration.ZERO,
            Duration.ZERO);
    StackNow now =
        new StackNow(
            ref -> new StackLookup.Found(resource), new StackReader(Policy.DEFAULTS), destroy);
    assertThat(now.look()).isInstanceOf(StackNow.Wanted.class);
  }

  @Test
  void theSelectionIsWaitedForWithHeartbeatsAndTheStackReadAgainBeforeSending() throws Exception {
    CountDownLatch selected = new CountDownLatch(1);
    agent.beforeSelect = () -> assertThat(selected.await(30, TimeUnit.SECONDS)).isTrue();
    OperationOutput output =
        run(
            false,
            beat -> {
              beats.add(beat);
              if (beats.size() == 5) {
                stack = found(4, false, Map.of());
                selected.countDown();
              }
            });
    assertThat(output.outcome()).isEqualTo(Outcome.SUPERSEDED);
    assertThat(agent.count("Up")).isZero();
  }

  @Test
  void anAttemptThatIsNoLongerCurrentStopsDuringTheSelection() {
    CountDownLatch over = new CountDownLatch(1);
    agent.beforeSelect = () -> assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
    ActivityNotExistsException replaced = new ActivityNotExistsException(new RuntimeException());
    assertThatThrownBy(
            () ->
                run(
                    false,
                    beat -> {
                      beats.add(beat);
                      if (beats.size() == 3) {
                        throw replaced;
                      }
                    }))
        .isSameAs(replaced);
    over.countDown();
    assertThat(agent.count("Up")).isZero();
  }

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
}
