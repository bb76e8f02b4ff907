package dev.reprise.cli;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Asks Temporal every few seconds whether it is there, so that probes get an answer at once. */
final class TemporalProbe implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(4);

  private final TemporalConnection temporal;
  private final Runnable answered;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("temporal-probe").factory());
  private final ScheduledFuture<?> asking;
  private volatile String problem = "not asked yet";

  /**
   * Begins to ask.
   *
   * @param answered runs after each answer
   */
  TemporalProbe(TemporalConnection temporal, Runnable answered) {
    this.temporal = temporal;
    this.answered = answered;
    asking = timer.scheduleWithFixedDelay(this::ask, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What is wrong; "" = nothing. */
  String problem() {
    return problem;
  }

  private void ask() {
    problem = temporal.problem(LIMIT);
    if (problem.isEmpty()) {
      answered.run();
    }
  }

  @Override
  public void close() {
    asking.cancel(true);
    timer.shutdownNow();
  }
}
