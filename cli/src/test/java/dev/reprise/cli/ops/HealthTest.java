package dev.reprise.cli.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.cli.ops.Health.Probe;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
  private final Health health = new Health();

  @AfterEach
  void close() {
    health.close();
  }

  @Test
  void theAnswerNamesTheCheckThatFailedAndWhy() throws Exception {
    health.add(Probe.READY, "temporal", () -> "UNAVAILABLE");
    health.add(Probe.ALIVE, "watcher", () -> "");
    assertThat(health.ask(Probe.READY))
        .isEqualTo(
            new Health.Answer(
                false, "[+]ping ok\n[-]temporal failed: UNAVAILABLE\nreadyz check failed\n"));
    assertThat(health.ask(Probe.ALIVE))
        .isEqualTo(new Health.Answer(true, "[+]ping ok\n[+]watcher ok\nhealthz check passed\n"));
  }

  @Test
  void aCheckThatHangsOrBreaksHasFailed() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    health.add(
        Probe.ALIVE,
        "stuck",
        () -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return "";
        });
    health.add(
        Probe.ALIVE,
        "broken",
        () -> {
          throw new IllegalStateException("a bug");
        });
    Health.Answer answer = health.ask(Probe.ALIVE);
    assertThat(answer.healthy()).isFalse();
    assertThat(answer.text())
        .contains("[+]ping ok\n")
        .contains("[-]stuck failed: no answer within 800 ms\n")
        .contains("[-]broken failed: java.lang.IllegalStateException: a bug\n");
  }

  @Test
  void aLaterCheckOfTheSameNameReplacesAnEarlierOne() throws Exception {
    health.add(Probe.READY, "pollers", () -> "not started");
    health.add(Probe.READY, "pollers", () -> "");
    assertThat(health.ask(Probe.READY).healthy()).isTrue();
  }
}
