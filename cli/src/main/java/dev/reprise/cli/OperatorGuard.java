package dev.reprise.cli;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.watcher.OtherOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
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
  private volatile State state = State.UNKNOWN;
  private boolean warned;

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
    timer.scheduleWithFixedDelay(
        () -> look(suspend, resume), PERIOD.toSeconds(), PERIOD.toSeconds(), TimeUnit.SECONDS);
  }

  /** Whether this process may work; a process that may not is not ready either. */
  boolean clear() {
    return state == State.CLEAR;
  }

  /** One look; it must not end those that follow. */
  void look(Runnable suspend, Runnable resume) {
    try {
      Optional<String> lease = lease();
      if (lease.isPresent()) {
        waiting(lease.get(), suspend);
      } else if (state != State.CLEAR) {
        if (state == State.WAITING) {
          log.info("the Pulumi Kubernetes Operator works no more; beginning");
        }
        resume.run();
        state = State.CLEAR;
      }
    } catch (RuntimeException e) {
      log.warn(
          "whether the Pulumi Kubernetes Operator works in this cluster is not known ({}); {}",
          Causes.innermost(e),
          state == State.CLEAR ? "going on" : "waiting until it is");
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

  private Optional<String> lease() {
    try {
      return active.get();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      if (!warned) {
        log.warn(
            "going on without knowing whether the Pulumi Kubernetes Operator works in this cluster:"
                + " grant get and list on leases in coordination.k8s.io");
      }
      warned = true;
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
