package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.operation.WatchResponse;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.stub.StreamObserver;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityWorkerShutdownException;
import io.temporal.failure.TimeoutFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CancelTest extends OperationFixture {

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
    assertThat(output.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(output.message()).contains("did not end");
  }
}
