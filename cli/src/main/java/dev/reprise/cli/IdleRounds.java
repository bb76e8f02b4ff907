package dev.reprise.cli;

import dev.reprise.activities.Activities;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.stack.spec.Policy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets idle workspaces rest, as their Stacks ask, once a minute. */
final class IdleRounds implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IdleRounds.class);
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("idle-rounds").factory());
  private final ScheduledFuture<?> rounds;

  /**
   * Starts.
   *
   * @param allowed whether this may be done now; a round that may not is left out
   */
  IdleRounds(
      KubernetesClient client, Policy defaults, Workspaces workspaces, BooleanSupplier allowed) {
    rounds =
        timer.scheduleWithFixedDelay(
            () -> {
              if (allowed.getAsBoolean()) {
                round(client, defaults, workspaces);
              }
            },
            PERIOD.toSeconds(),
            PERIOD.toSeconds(),
            TimeUnit.SECONDS);
  }

  private static void round(KubernetesClient client, Policy defaults, Workspaces workspaces) {
    try {
      Activities.restIdle(client, defaults, workspaces, InstantSource.system());
    } catch (RuntimeException e) {
      log.warn("idle workspaces could not be looked for; trying again in {}", PERIOD, e);
    }
  }

  @Override
  public void close() {
    rounds.cancel(false);
    timer.shutdown();
  }
}
