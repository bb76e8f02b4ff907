package dev.reprise.cli;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.watcher.OtherOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a process work only while the Pulumi Kubernetes Operator does not: two operators on the same
 * Stacks would run every operation twice.
 */
final class OperatorGuard implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OperatorGuard.class);
  private static final Duration PERIOD = Duration.ofSeconds(15);

  private final Supplier<Optional<String>> active;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("operator-guard").factory());
  private Future<?> looking = CompletableFuture.completedFuture("not yet");
  private volatile State state = State.UNKNOWN;
  private boolean told;

  private enum State {
    /** Nothing could be read yet; nothing is done. */
    UNKNOWN,
    WAITING,
    CLEAR
  }

  /**
   * Makes a guard that does not look yet.
   *
   * @param active the Lease of an operator that works now; throws what the client throws
   */
  OperatorGuard(Supplier<Optional<String>> active) {
    this.active = active;
  }

  /** The guard of this cluster. */
  static OperatorGuard of(KubernetesClient client) {
    return new OperatorGuard(
        new OtherOperator(StackObjects.limited(client), InstantSource.system())::active);
  }

  /**
   * Looks now and every {@link #PERIOD}. The process is to be suspended until it is resumed for the
   * first time.
   *
   * @param suspend called when an operator has begun to work
   * @param resume called when none works
   */
  void start(Runnable suspend, Runnable resume) {
    look(suspend, resume);
    looking =
        timer.scheduleWithFixedDelay(
            () -> lookAgain(suspend, resume),
            PERIOD.toSeconds(),
            PERIOD.toSeconds(),
            TimeUnit.SECONDS);
  }

  /** A failed look must not end those that follow. */
  private void lookAgain(Runnable suspend, Runnable resume) {
    try {
      look(suspend, resume);
    } catch (RuntimeException e) {
      log.warn("this process could not be suspended or resumed; trying again in {}", PERIOD, e);
    }
  }

  /** Whether this process may work; a process that may not is not ready either. */
  boolean clear() {
    return state == State.CLEAR;
  }

  /** One look. What cannot be known changes nothing. */
  void look(Runnable suspend, Runnable resume) {
    Optional<String> lease;
    try {
      lease = active.get();
      told = false;
    } catch (KubernetesClientException e) {
      tell(e);
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        return;
      }
      lease = Optional.empty();
    }
    if (lease.isPresent()) {
      waiting(lease.get(), suspend);
    } else if (state != State.CLEAR) {
      if (state == State.WAITING) {
        log.info("the Pulumi Kubernetes Operator works no more; beginning");
      }
      resume.run();
      state = State.CLEAR;
    }
  }

  private void waiting(String lease, Runnable suspend) {
    if (state == State.WAITING) {
      return;
    }
    log.warn(
        "waiting: the Pulumi Kubernetes Operator works in this cluster (Lease {}); scale it down",
        lease);
    boolean working = state == State.CLEAR;
    state = State.WAITING;
    if (working) {
      suspend.run();
    }
  }

  /** Once, until Leases can be read again. */
  private void tell(KubernetesClientException e) {
    if (told) {
      return;
    }
    told = true;
    if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
      log.warn(
          "going on without knowing whether the Pulumi Kubernetes Operator works in this cluster:"
              + " grant get and list on leases in coordination.k8s.io");
    } else {
      log.warn(
          "whether the Pulumi Kubernetes Operator works in this cluster cannot be read ({});"
              + " {} until it can",
          Causes.innermost(e),
          state == State.CLEAR ? "going on" : "waiting");
    }
  }

  @Override
  public void close() {
    looking.cancel(false);
    timer.shutdownNow();
  }
}
