package dev.reprise.workflows.workflow;

import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Durable waits that something may end early. */
final class Waits {
  /** Nothing waits shorter, so that no mistake in a decision can turn a run into a busy loop. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private Waits() {}

  static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  /** A moment before looking again, where what was decided on turned out to be no longer true. */
  static void moment(BooleanSupplier woken) {
    until(now(), "look again", woken);
  }

  /**
   * Waits until {@code when} or until {@code woken}. The timer is cancelled when it is not needed
   * any more: {@code Workflow.await} with a duration would leave it behind for up to a day.
   *
   * @param summary what the Web UI shows beside the timer
   */
  static void until(Instant when, String summary, BooleanSupplier woken) {
    if (woken.getAsBoolean()) {
      return;
    }
    Duration left = Duration.between(now(), when);
    Duration wait = left.compareTo(SHORTEST) < 0 ? SHORTEST : left;
    Pending<Void> timer =
        Pending.start(
            () -> Workflow.newTimer(wait, TimerOptions.newBuilder().setSummary(summary).build()));
    Workflow.await(() -> timer.completed() || woken.getAsBoolean());
    timer.cancel("not needed any more");
  }
}
