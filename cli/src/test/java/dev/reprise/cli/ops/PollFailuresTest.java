package dev.reprise.cli.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class PollFailuresTest {
  private static final Instant START = Instant.parse("2026-12-01T12:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final LoggerContext context = new LoggerContext();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final PollFailures failures =
      new Logs(context, LogFormat.TEXT).foldPollFailures(now::get);
  private final Logger pollers = context.getLogger("io.temporal.internal.worker.BasePoller");

  @BeforeEach
  void listen() {
    lines.setContext(context);
    lines.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(lines);
  }

  @Test
  void anOutageIsTwoLinesHoweverManyPollsFail() {
    for (int i = 0; i < 500; i++) {
      pass(Duration.ofMillis(500));
      fail(Status.UNAVAILABLE.withDescription("io exception"));
      failures.answered();
    }
    assertThat(messages())
        .singleElement()
        .asString()
        .startsWith("Temporal does not answer (UNAVAILABLE: io exception); polling until it does");

    pass(Duration.ofSeconds(76));
    failures.answered();
    failures.answered();
    assertThat(messages())
        .hasSize(2)
        .last()
        .asString()
        .isEqualTo(
            "Temporal answers again: 500 polls failed between 2026-12-01T12:00:00.500Z and"
                + " 2026-12-01T12:04:10Z");
  }

  @Test
  void theNextOutageIsToldOfAnew() {
    fail(Status.UNAVAILABLE);
    pass(Duration.ofMinutes(5));
    failures.answered();
    fail(Status.UNAVAILABLE);
    assertThat(messages()).hasSize(3);
  }

  @Test
  void anotherKindOfFailureIsALineOfItsOwn() {
    fail(Status.UNAVAILABLE);
    fail(Status.PERMISSION_DENIED.withDescription("certificate expired"));
    fail(Status.PERMISSION_DENIED.withDescription("certificate expired"));
    assertThat(messages()).hasSize(2).last().asString().contains("certificate expired");
  }

  @Test
  void nothingElseIsTouched() {
    pollers.warn("Error while trying to reserve a slot", new IllegalStateException());
    pollers.info("Suspend Polling: {}", "x");
    context.getLogger("other").warn("Failure in poller thread {}", "a", new RuntimeException());
    failures.answered();
    assertThat(messages())
        .containsExactly(
            "Error while trying to reserve a slot",
            "Suspend Polling: x",
            "Failure in poller thread a");
  }

  private void fail(Status status) {
    pollers.warn("Failure in poller thread {}", "poller-1", status.asRuntimeException());
  }

  private void pass(Duration time) {
    now.set(now.get().plus(time));
  }

  private List<String> messages() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
