package dev.reprise.stack.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SharedRevisionsTest {
  private static final SharedRevisions.Key MAIN =
      new SharedRevisions.Key("https://git.example.com/x", "main", "");

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
  private final AtomicInteger calls = new AtomicInteger();
  private final SharedRevisions shared =
      new SharedRevisions(Duration.ofSeconds(5), Duration.ofSeconds(30), now::get);

  private String counted() {
    return "r" + calls.incrementAndGet();
  }

  @Test
  void anAnswerIsSharedUntilItHasAged() throws Exception {
    assertThat(shared.get(MAIN, this::counted)).isEqualTo("r1");
    pass(Duration.ofMillis(4999));
    assertThat(shared.get(MAIN, this::counted)).isEqualTo("r1");
    pass(Duration.ofMillis(1));
    assertThat(shared.get(MAIN, this::counted)).isEqualTo("r2");
  }

  @Test
  void anotherRepositoryRefOrCredentialIsAskedForItself() throws Exception {
    for (SharedRevisions.Key key :
        List.of(
            MAIN,
            new SharedRevisions.Key(MAIN.repository(), "dev", ""),
            new SharedRevisions.Key(MAIN.repository(), "main", "secret-2"),
            new SharedRevisions.Key("https://git.example.com/y", "main", ""))) {
      shared.get(key, this::counted);
    }

    assertThat(calls).hasValue(4);
  }

  @Test
  void aRefusalIsSharedTooAndForgottenAsSoon() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () ->
                  shared.get(
                      MAIN,
                      () -> {
                        throw new SourceUnavailable("repository", counted());
                      }))
          .hasMessage("repository r1");
    }
    pass(Duration.ofSeconds(5));
    assertThat(shared.get(MAIN, this::counted)).isEqualTo("r2");
  }

  @Test
  void whoAsksDuringACallWaitsForThatCall() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger asking = new AtomicInteger();
    Callable<String> ask =
        () -> {
          asking.incrementAndGet();
          return shared.get(
              MAIN,
              () -> {
                String revision = counted();
                waitFor(answer);
                return revision;
              });
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> results = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        results.add(threads.submit(ask));
      }
      await().until(() -> asking.get() == 20);
      answer.countDown();
      for (Future<String> result : results) {
        assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("r1");
      }
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  void whoWaitsTooLongForAnotherGivesUp() throws Exception {
    SharedRevisions impatient =
        new SharedRevisions(Duration.ofSeconds(5), Duration.ofMillis(1), now::get);
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> slow =
          threads.submit(
              () ->
                  impatient.get(
                      MAIN,
                      () -> {
                        started.countDown();
                        waitFor(answer);
                        return "late";
                      }));
      waitFor(started);
      assertThatThrownBy(() -> impatient.get(MAIN, this::counted))
          .isInstanceOf(SourceUnavailable.class)
          .hasMessage("https://git.example.com/x did not answer in time");
      answer.countDown();
      assertThat(slow.get(10, TimeUnit.SECONDS)).isEqualTo("late");
    }
  }

  @Test
  void whatHasAgedIsNotKept() throws Exception {
    for (int i = 0; i < 100; i++) {
      shared.get(new SharedRevisions.Key("repository " + i, "main", ""), this::counted);
    }
    pass(Duration.ofSeconds(6));
    shared.get(MAIN, this::counted);

    assertThat(shared.size()).isEqualTo(1);
  }

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
