package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered, for how long, and what many callers at once cost. */
final class KubernetesCheckMemoryTest {
  private final GuardedAgent agent;

  KubernetesCheckMemoryTest(@TempDir Path folder) throws Exception {
    agent = new GuardedAgent(folder);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  @Test
  void aGoodTokenIsRememberedForAnHourAndTheRightForFiveMinutes() {
    agent.call("good");
    agent.pass(Duration.ofMinutes(5).minusMillis(1));
    agent.call("good");
    assertThat(agent.api.asked).hasSize(2);

    agent.pass(Duration.ofMillis(1));
    agent.call("good");
    assertThat(agent.api.tokenReviews()).isEqualTo(1);
    assertThat(agent.api.accessReviews()).isEqualTo(2);

    agent.pass(Duration.ofMinutes(55).minusMillis(1));
    agent.call("good");
    assertThat(agent.api.tokenReviews()).isEqualTo(1);
    agent.pass(Duration.ofMillis(1));
    agent.call("good");
    assertThat(agent.api.tokenReviews()).isEqualTo(2);
  }

  @Test
  void aTokenIsNotRememberedBeyondItsOwnEnd() {
    String claims = "{\"exp\": " + GuardedAgent.START.plusSeconds(90).getEpochSecond() + "}";
    String token =
        "good."
            + Base64.getUrlEncoder().encodeToString(claims.getBytes(StandardCharsets.UTF_8))
            + ".x";
    agent.call(token);
    agent.pass(Duration.ofSeconds(89));
    agent.call(token);
    assertThat(agent.api.tokenReviews()).isEqualTo(1);

    agent.pass(Duration.ofSeconds(1));
    agent.call(token);
    assertThat(agent.api.tokenReviews()).isEqualTo(2);
  }

  @Test
  void aBadTokenIsRememberedForAMinute() {
    Status refused = agent.refusal("bad-canary");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused.getDescription())
        .contains("audience shop.team", "token is expired")
        .doesNotContain("canary");

    agent.pass(Duration.ofMinutes(1).minusMillis(1));
    assertThat(agent.refusal("bad-canary").getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(agent.api.tokenReviews()).isEqualTo(1);
    agent.pass(Duration.ofMillis(1));
    assertThat(agent.refusal("bad-canary").getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(agent.api.tokenReviews()).isEqualTo(2);
    assertThat(agent.api.accessReviews()).isZero();
  }

  @Test
  void theLackOfARightIsRememberedForFiveSeconds() {
    agent.api.allowed = false;
    Status refused = agent.refusal("good");
    assertThat(refused.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused.getDescription())
        .contains("system:serviceaccount:ops:good", "team/shop", "workspaces/rpc", "no rule");

    agent.api.allowed = true;
    agent.pass(Duration.ofSeconds(5).minusMillis(1));
    assertThat(agent.refusal("good").getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
    agent.pass(Duration.ofMillis(1));
    assertThat(agent.call("good")).isNotEmpty();
  }

  @Test
  void manyCallersOfOneTokenShareOneQuestionAndHoldNoThreads() {
    agent.api.gate = new CountDownLatch(1);
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(
          CompletableFuture.supplyAsync(() -> agent.call("good"), Thread::startVirtualThread));
    }
    await().until(() -> agent.api.asked.size() == 1);
    agent.api.gate.countDown();
    assertThat(calls).allSatisfy(c -> assertThat(c.join()).isNotEmpty());

    assertThat(agent.api.asked).hasSize(2);
  }

  @Test
  void questionsDoNotPileUp() {
    agent.api.gate = new CountDownLatch(1);
    List<CompletableFuture<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String token = "good" + i;
      waiting.add(
          CompletableFuture.supplyAsync(() -> agent.call(token), Thread::startVirtualThread));
    }
    await().until(() -> agent.api.asked.size() == 16);

    Status refused = agent.refusal("good-more");
    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains("unanswered");
    assertThat(agentThreads()).isLessThan(16);

    agent.api.gate.countDown();
    assertThat(waiting).allSatisfy(c -> assertThat(c.join()).isNotEmpty());
    assertThat(agent.call("good-more")).isNotEmpty();
  }

  private static long agentThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("agent-call-"))
        // Idle threads of the pool wait with a limit.
        .filter(thread -> thread.getState() != Thread.State.TIMED_WAITING)
        .count();
  }
}
