package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.proto.operation.State;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.Status;
import io.temporal.client.ActivityCanceledException;
import io.temporal.testing.TestActivityEnvironment;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AttachTest extends OperationFixture {

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
  void lookingForALostOperationFindsItsResultButNeverStartsIt() throws Exception {
    OperationActivity operations = stub(environment());
    assertThat(operations.runOperation(attachOnly()).outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(agent.count("Up")).isZero();

    agent.running(ID, now.get(), now.get());
    agent.watch =
        (id, stream) -> {
          stream.onNext(FakeAgent.watched(FakeAgent.result("succeeded", Map.of()), false));
          stream.onCompleted();
        };
    assertThat(operations.runOperation(attachOnly()).outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(agent.count("Up")).isZero();
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

  @Test
  void aCancelKnownBeforeTheAgentEverGotTheCallSendsNothing() throws Exception {
    OperationOutput output =
        run(
            true,
            beat -> {
              throw new ActivityCanceledException();
            });
    assertThat(output.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(output.sent()).isFalse();
    assertThat(agent.calls).containsExactly("Describe " + ID);
  }

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
}
