package dev.reprise.e2e.pod;

import dev.reprise.e2e.engine.Commands;
import dev.reprise.e2e.engine.ControlPlane;
import dev.reprise.e2e.engine.HostNetwork;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs every pod of a control plane as processes of this machine, and breaks them when asked. While
 * the API server does not answer, pods go on; afterwards their statuses are caught up. Nothing is
 * left when it is closed.
 */
public final class PodRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodRunner.class);
  private static final Duration EVERY = Duration.ofMillis(200);
  private static final int DNS = 53;

  private final PodApi api;
  private final PodLife.Node node;
  private final NodeHeartbeat heartbeat;
  private final Resolver resolver;
  private final Map<String, PodLife> pods = new ConcurrentHashMap<>();
  private final Stop stop = new Stop();
  private final Thread loop;
  private volatile ServiceNames names = new ServiceNames(List.of(), List.of());

  /**
   * Starts to run all pods.
   *
   * @param network where pods get their addresses; the control plane has to be reachable from it
   * @param images what their images stand for
   * @param folder for volumes and logs
   */
  public PodRunner(ControlPlane cluster, HostNetwork network, Images images, Path folder) {
    this(cluster, network, images, folder, null);
  }

  /**
   * The same, keeping the memory limits of containers where this machine has control groups for
   * memory: Java sees them, and who needs more is ended with reason {@code OOMKilled}.
   */
  public static PodRunner withMemoryLimits(
      ControlPlane cluster, HostNetwork network, Images images, Path folder) {
    return new PodRunner(
        cluster, network, images, folder, MemoryGroups.open(network.name() + "-").orElse(null));
  }

  private PodRunner(
      ControlPlane cluster,
      HostNetwork network,
      Images images,
      Path folder,
      @Nullable MemoryGroups memory) {
    this.api = new PodApi(cluster);
    this.node =
        new PodLife.Node(
            api,
            new PodNetworks(network),
            new Environment(api, cluster.host(), cluster.port()),
            images,
            network.host(),
            folder,
            memory,
            Clock.systemUTC());
    this.heartbeat = new NodeHeartbeat(api.client(), network.host(), Clock.systemUTC());
    this.resolver =
        new Resolver(new InetSocketAddress(network.host(), DNS), name -> names.addresses(name));
    this.loop = Thread.ofPlatform().daemon().name("pod-runner").start(this::watch);
  }

  private void watch() {
    while (!stop.isRequested()) {
      try {
        heartbeat.beat();
        look();
      } catch (KubernetesClientException e) {
        LOG.debug("the API server does not answer", e);
      } catch (RuntimeException e) {
        LOG.error("the pods could not be looked at", e);
      }
      stop.within(EVERY);
    }
  }

  private void look() {
    List<Pod> listed = api.pods();
    names = new ServiceNames(api.services(), listed);
    Map<String, Pod> live = new HashMap<>();
    listed.forEach(pod -> live.put(pod.getMetadata().getUid(), pod));
    live.forEach((uid, pod) -> pods.computeIfAbsent(uid, any -> taken(pod)).seen(pod));
    pods.forEach(
        (uid, life) -> {
          if (!live.containsKey(uid)) {
            life.gone();
          }
        });
    pods.entrySet()
        .removeIf(known -> !live.containsKey(known.getKey()) && known.getValue().isRemoved());
  }

  private PodLife taken(Pod pod) {
    PodLife life = new PodLife(pod, node);
    life.start();
    return life;
  }

  private PodLife pod(String namespace, String name) {
    return pods.values().stream()
        .filter(life -> life.pod().getMetadata().getNamespace().equals(namespace))
        .filter(life -> life.pod().getMetadata().getName().equals(name))
        .filter(life -> !life.isRemoved())
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("pod " + namespace + "/" + name + " does not run"));
  }

  /** Ends all processes of a pod's first container without warning; it is started again. */
  public void killContainer(String namespace, String pod) {
    pod(namespace, pod).main().running().kill();
  }

  /** Stops all processes of a pod's first container, without their knowing. */
  public void freeze(String namespace, String pod) {
    pod(namespace, pod).main().running().signalAll("STOP");
  }

  /** Lets a frozen container go on. */
  public void thaw(String namespace, String pod) {
    pod(namespace, pod).main().running().signalAll("CONT");
  }

  /** Cuts a pod off the network; what was sent is lost, connections stay open on both sides. */
  public void cutNetwork(String namespace, String pod) {
    pod(namespace, pod).network().cut();
  }

  /** Joins a pod to the network again. */
  public void joinNetwork(String namespace, String pod) {
    pod(namespace, pod).network().join();
  }

  /** The processes of a pod's first container, by the numbers that this machine has for them. */
  public List<Long> pids(String namespace, String pod) {
    return pod(namespace, pod).main().running().pids();
  }

  /** Runs a command in a pod's first container, as its user, with its variables. */
  public Commands.Ended exec(String namespace, String pod, String... command) {
    return pod(namespace, pod).main().exec(List.of(command));
  }

  /** What a container said, over all its starts and all pods of that name; kept after their end. */
  public String log(String namespace, String pod, String container) {
    Path log = PodContainers.log(node.folder(), namespace, pod, container);
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop.request();
    try {
      loop.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    pods.values().parallelStream().forEach(PodLife::close);
    resolver.close();
    api.close();
  }
}
