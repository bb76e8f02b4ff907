package dev.reprise.cli;

import dev.reprise.activities.Activities;
import dev.reprise.activities.workspace.Workspaces;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes workspaces whose Stack is verifiably gone: now, and once an hour. */
final class Sweeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
  private static final Duration PERIOD = Duration.ofHours(1);

  private final KubernetesClient kubernetes;
  private final Workspaces workspaces;
  private final BooleanSupplier allowed;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("sweeper").factory());
  private final ScheduledFuture<?> sweeping;

  /**
   * Starts with a first round.
   *
   * @param allowed whether this may be done now; a round that may not is left out
   */
  Sweeper(KubernetesClient kubernetes, Workspaces workspaces, BooleanSupplier allowed) {
    this.kubernetes = kubernetes;
    this.workspaces = workspaces;
    this.allowed = allowed;
    sweeping = timer.scheduleWithFixedDelay(this::sweep, 0, PERIOD.toMinutes(), TimeUnit.MINUTES);
  }

  private void sweep() {
    if (!allowed.getAsBoolean()) {
      return;
    }
    try {
      int swept = Activities.sweep(kubernetes, workspaces);
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
