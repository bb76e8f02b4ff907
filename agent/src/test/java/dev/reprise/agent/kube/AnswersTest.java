package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class AnswersTest {
  private final Answers<String> answers =
      new Answers<>(2, answer -> Duration.ofMinutes(1), () -> Instant.EPOCH);

  private String get(String key, String answer) {
    return answers.get(key, () -> CompletableFuture.completedFuture(answer)).join();
  }

  @Test
  void theLeastRecentlyUsedAnswerGoesFirst() {
    get("a", "1");
    get("b", "1");
    get("a", "2");
    get("c", "1");

    assertThat(answers.size()).isEqualTo(2);
    assertThat(get("a", "2")).isEqualTo("1");
    assertThat(get("b", "2")).isEqualTo("2");
  }

  @Test
  void aFailureIsNotKept() {
    CompletableFuture<String> failed =
        answers.get("a", () -> CompletableFuture.failedFuture(new IllegalStateException()));

    assertThat(failed).isCompletedExceptionally();
    assertThat(get("a", "1")).isEqualTo("1");
  }
}
