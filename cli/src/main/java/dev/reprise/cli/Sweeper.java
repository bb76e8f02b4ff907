package dev.reprise.cli;

import dev.reprise.activities.Activities;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes local workspaces whose Stack is verifiably gone: now, and once an hour. */
final class Sweeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration PERIOD = Duration.ofHours(1);

  private final Target target;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("sweeper").factory());
  private final ScheduledFuture<?> sweeping;

  Sweeper(Target target) {
    this.target = target;
    sweeping = timer.scheduleWithFixedDelay(this::sweep, 0, PERIOD.toMinutes(), TimeUnit.MINUTES);
  }

  private void sweep() {
    try {
      int swept = Activities.sweep(target.kubernetes(), target.workspaces());
      if (swept > 0) {
        log.info("removed {} workspaces of Stacks that are gone", swept);
      }
    } catch (RuntimeException e) {
      log.warn("workspaces could not be swept; trying again in {}", PERIOD, e);
    }
  }

  @Override
  public void close() {
    sweeping.cancel(false);
    timer.shutdown();
  }
}
