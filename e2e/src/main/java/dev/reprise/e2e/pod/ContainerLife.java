package dev.reprise.e2e.pod;

import dev.reprise.e2e.engine.Commands;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One container over all its starts. */
final class ContainerLife {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLife.class);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);

  /** Who ran so long starts afresh. */
  private static final Duration STABLE = Duration.ofSeconds(30);

  private static final int KILLED = 137;
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Container container;
  private final String restartPolicy;
  private final Duration grace;
  private final boolean init;
  private final Starter starter;
  private final Runnable changed;
  private final Clock clock;
  private final Stop stop = new Stop();
  private volatile ContainerView view;
  private volatile @Nullable ContainerProcess process;

  /** How a container is started. */
  interface Starter {
    /**
     * Starts it.
     *
     * @throws NotConfigured when it cannot be started yet
     */
    ContainerProcess start(Container container);

    /** Whether somebody in it was ended for want of memory since it was started. */
    boolean outOfMemory(Container container);

    /** The pod's address. */
    String podIp();
  }

  /** Thrown by a {@link Starter} for an image that cannot be had. */
  static final class NoImage extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoImage(String message) {
      super(message);
    }
  }

  /**
   * Not started.
   *
   * @param spec its pod's
   * @param init whether it is to end before others start
   * @param changed is told of every change of {@link #view}
   */
  ContainerLife(
      Container container,
      PodSpec spec,
      boolean init,
      Starter starter,
      Runnable changed,
      Clock clock) {
    this.container = container;
    this.restartPolicy = restartPolicy(spec);
    this.grace =
        Duration.ofSeconds(
            Optional.ofNullable(spec.getTerminationGracePeriodSeconds()).orElse(30L));
    this.init = init;
    this.starter = starter;
    this.changed = changed;
    this.clock = clock;
    this.view =
        ContainerView.waiting(
            container.getName(),
            container.getImage(),
            init ? "PodInitializing" : "ContainerCreating");
  }

  /** Which of a pod's containers are started again. */
  static String restartPolicy(PodSpec spec) {
    return Optional.ofNullable(spec.getRestartPolicy()).orElse("Always");
  }

  ContainerView view() {
    return view;
  }

  String name() {
    return container.getName();
  }

  private void show(UnaryOperator<ContainerView> step) {
    synchronized (stop) {
      view = step.apply(view);
    }
    changed.run();
  }

  /** Runs it, again where the pod wants that, until it is done; whether it succeeded at last. */
  boolean run() {
    int crashes = 0;
    while (!stop.isRequested()) {
      Optional<ContainerProcess> started = start();
      if (started.isEmpty()) {
        continue;
      }
      Instant since = clock.instant();
      int exitCode = follow(started.get());
      boolean success = exitCode == 0;
      boolean starved = exitCode == KILLED && starter.outOfMemory(container);
      show(now -> now.ended(exitCode, starved, clock.instant()).readiness(init && success));
      if (done(success)) {
        return success;
      }
      boolean stable = Duration.between(since, clock.instant()).compareTo(STABLE) > 0;
      crashes = stable ? 1 : crashes + 1;
      backOff(crashes);
    }
    return false;
  }

  private boolean done(boolean success) {
    return stop.isRequested()
        || restartPolicy.equals("Never")
        || (success && (init || restartPolicy.equals("OnFailure")));
  }

  /** The first restart comes at once, the others after 1, 2, 4 and more seconds up to ten. */
  private void backOff(int crashes) {
    if (crashes < 2) {
      return;
    }
    Duration doubled = Duration.ofSeconds(1L << Math.min(crashes - 2, 10));
    Duration wait = doubled.compareTo(LONGEST_BACKOFF) < 0 ? doubled : LONGEST_BACKOFF;
    show(
        now ->
            now.waits(
                "CrashLoopBackOff",
                "back-off " + wait.toSeconds() + "s restarting failed container=" + name()));
    stop.within(wait);
  }

  private int follow(ContainerProcess running) {
    Probes probes =
        new Probes(
            container,
            starter.podIp(),
            command -> running.exec(command).exitCode() == 0,
            new Probes.Listener() {
              @Override
              public void ready(boolean ready) {
                show(now -> now.readiness(ready && now.running()));
              }

              @Override
              public void unhealthy() {
                end(running, grace);
              }
            });
    show(now -> now.runs(clock.instant()));
    if (!init) {
      probes.start();
    }
    int exitCode = running.join();
    probes.stop();
    return exitCode;
  }

  private Optional<ContainerProcess> start() {
    try {
      synchronized (this) {
        if (stop.isRequested()) {
          return Optional.empty();
        }
        ContainerProcess started = starter.start(container);
        process = started;
        return Optional.of(started);
      }
    } catch (NoImage e) {
      boolean first = !"ErrImagePull".equals(waitingReason());
      show(
          now ->
              now.waits(
                  first ? "ErrImagePull" : "ImagePullBackOff", String.valueOf(e.getMessage())));
    } catch (NotConfigured e) {
      show(now -> now.waits("CreateContainerConfigError", String.valueOf(e.getMessage())));
    } catch (KubernetesClientException e) {
      // The API server does not answer; the container waits as it did.
      changed.run();
    } catch (IllegalStateException | UncheckedIOException e) {
      LOG.error("container {} could not be started", name(), e);
      show(now -> now.waits("CreateContainerError", String.valueOf(e.getMessage())));
    }
    stop.within(RETRY);
    return Optional.empty();
  }

  private @Nullable String waitingReason() {
    return view.state().getWaiting() == null ? null : view.state().getWaiting().getReason();
  }

  /** Ends it for good: asked first, by force after the grace period. */
  void terminate(Duration limit) {
    ContainerProcess running;
    synchronized (this) {
      stop.request();
      running = process;
    }
    if (running != null) {
      end(running, limit);
    }
  }

  private static void end(ContainerProcess running, Duration limit) {
    if (!limit.isZero()) {
      running.terminate();
    }
    if (limit.isZero() || !running.join(limit)) {
      running.kill();
    }
  }

  /** Its processes. */
  ContainerProcess running() {
    ContainerProcess now = process;
    if (now == null) {
      throw new IllegalStateException("container " + name() + " was never started");
    }
    return now;
  }

  /** Runs a command inside. */
  Commands.Ended exec(List<String> command) {
    return running().exec(command);
  }
}
