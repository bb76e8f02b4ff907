package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.activities.kube.StackLookup;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import io.temporal.testing.TestActivityEnvironment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
