package dev.reprise.e2e.pod;

import dev.reprise.e2e.pod.PodNetworks.PodNetwork;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pod from its binding to its removal. Each runs in threads of its own. */
final class PodLife {
  private static final Logger LOG = LoggerFactory.getLogger(PodLife.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Pod pod;
  private final Node node;
  private final PodContainers starter;
  private final Instant started;
  private final List<ContainerLife> inits = new ArrayList<>();
  private final List<ContainerLife> containers = new ArrayList<>();
  private final Stop stop = new Stop();

  /** Nobody waits for the removal of the object. */
  private final Stop untold = new Stop();

  private final CompletableFuture<Void> ran = new CompletableFuture<>();
  private final CompletableFuture<Void> removed = new CompletableFuture<>();
  private boolean ending;
  private long grace = Long.MAX_VALUE;
  private volatile @Nullable PodNetwork network;
  private @Nullable PodStatus written;

  /**
   * What all pods share.
   *
   * @param hostIp the node's address, where the resolver is too
   * @param folder for what pods leave in files
   * @param memory null: the limits of pods are not kept
   */
  record Node(
      PodApi api,
      PodNetworks networks,
      Environment environment,
      Images images,
      String hostIp,
      Path folder,
      @Nullable MemoryGroups memory,
      Clock clock) {}

  PodLife(Pod pod, Node node) {
    this.pod = pod;
    this.node = node;
    this.started = node.clock().instant();
    this.starter =
        new PodContainers(
            pod,
            node,
            node.folder().resolve("pods").resolve(pod.getMetadata().getUid()),
            () -> network());
    for (Container container : pod.getSpec().getInitContainers()) {
      inits.add(life(container, true));
    }
    for (Container container : pod.getSpec().getContainers()) {
      containers.add(life(container, false));
    }
  }

  private ContainerLife life(Container container, boolean init) {
    return new ContainerLife(
        container, pod.getSpec(), init, starter, () -> report(Optional.empty()), node.clock());
  }

  /** Its network, once it has one. */
  PodNetwork network() {
    PodNetwork now = network;
    if (now == null) {
      throw new IllegalStateException("pod " + pod.getMetadata().getName() + " has no network yet");
    }
    return now;
  }

  Pod pod() {
    return pod;
  }

  /** Takes it on. */
  void start() {
    Thread.startVirtualThread(
        () -> {
          try {
            run();
          } catch (RuntimeException e) {
            LOG.error("pod {} could not be run", pod.getMetadata().getName(), e);
          } finally {
            ran.complete(null);
          }
        });
  }

  private void run() {
    untilDone(this::bind);
    if (stop.isRequested()) {
      return;
    }
    untilDone(() -> network = node.networks().attach(pod.getMetadata().getUid()));
    report(Optional.empty());
    untilDone(starter::makeVolumes);
    for (ContainerLife init : inits) {
      if (stop.isRequested() || !init.run()) {
        return;
      }
    }
    List<Thread> threads =
        containers.stream().map(container -> Thread.startVirtualThread(container::run)).toList();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void bind() {
    if (pod.getSpec().getNodeName() != null) {
      return;
    }
    try {
      node.api().bind(pod);
    } catch (KubernetesClientException e) {
      // An answer to an earlier call that was lost.
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
  }

  private void untilDone(Runnable step) {
    while (!stop.isRequested()) {
      try {
        step.run();
        return;
      } catch (NotConfigured | KubernetesClientException e) {
        LOG.info("pod {} waits: {}", pod.getMetadata().getName(), e.getMessage());
        stop.within(RETRY);
      } catch (IllegalStateException | UncheckedIOException e) {
        LOG.error("pod {} cannot be made", pod.getMetadata().getName(), e);
        stop.within(RETRY);
      }
    }
  }

  /**
   * The object as it is now: whether it is to end, and whether its status was changed by others.
   */
  void seen(Pod live) {
    if (live.getMetadata().getDeletionTimestamp() != null) {
      Long wanted = live.getMetadata().getDeletionGracePeriodSeconds();
      end(wanted == null ? 0 : wanted, true);
    }
    report(Optional.of(live));
  }

  /** The object is there no more. */
  void gone() {
    end(0, false);
  }

  /** Whether nothing is left of it. */
  boolean isRemoved() {
    return removed.isDone();
  }

  /** Ends it and waits until nothing of it is left here; the API is not told. */
  void close() {
    end(0, false);
    removed.join();
  }

  private synchronized void end(long graceSeconds, boolean tell) {
    boolean shorter = graceSeconds < grace;
    grace = Math.min(grace, graceSeconds);
    stop.request();
    if (!tell) {
      untold.request();
    }
    if (!ending) {
      ending = true;
      Thread.startVirtualThread(() -> remove(Duration.ofSeconds(graceSeconds)));
    } else if (shorter) {
      Thread.startVirtualThread(() -> terminate(Duration.ofSeconds(graceSeconds)));
    }
  }

  private void terminate(Duration limit) {
    Stream.concat(inits.stream(), containers.stream())
        .map(
            container -> CompletableFuture.runAsync(() -> container.terminate(limit), PodLife::run))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private static void run(Runnable task) {
    Thread.startVirtualThread(task);
  }

  private void remove(Duration limit) {
    try {
      terminate(limit);
      ran.join();
      PodNetwork used = network;
      if (used != null) {
        node.networks().detach(used);
      }
      starter.clear();
      tellOfEnd();
    } catch (RuntimeException e) {
      LOG.error("pod {} could not be removed", pod.getMetadata().getName(), e);
    } finally {
      removed.complete(null);
    }
  }

  private void tellOfEnd() {
    while (!untold.isRequested()) {
      report(Optional.empty());
      try {
        node.api().remove(pod);
        return;
      } catch (KubernetesClientException e) {
        untold.within(RETRY);
      }
    }
  }

  private synchronized void report(Optional<Pod> live) {
    PodStatus now = view().status(written, node.clock().instant());
    boolean changed = !now.equals(written);
    boolean overwritten = live.isPresent() && differs(live.get().getStatus(), now);
    if (!changed && !overwritten) {
      return;
    }
    try {
      node.api().writeStatus(pod, now);
      written = now;
    } catch (KubernetesClientException e) {
      // Tried again when the pod is seen the next time.
      LOG.debug("status of pod {} not written", pod.getMetadata().getName(), e);
    }
  }

  private static boolean differs(@Nullable PodStatus live, PodStatus wanted) {
    if (live == null) {
      return true;
    }
    return wanted.getConditions().stream()
        .anyMatch(
            condition ->
                live.getConditions().stream()
                    .filter(one -> one.getType().equals(condition.getType()))
                    .map(PodCondition::getStatus)
                    .noneMatch(condition.getStatus()::equals));
  }

  private PodView view() {
    PodNetwork now = network;
    return new PodView(
        ContainerLife.restartPolicy(pod.getSpec()),
        node.hostIp(),
        now == null ? "" : now.address(),
        started,
        inits.stream().map(ContainerLife::view).toList(),
        containers.stream().map(ContainerLife::view).toList());
  }

  /** Its first container. */
  ContainerLife main() {
    return containers.getFirst();
  }
}
