package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.ControlPlane;
import dev.reprise.e2e.engine.HostNetwork;
import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.engine.Temporal;
import dev.reprise.e2e.pod.PodRunner;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A whole installation: a control plane, a node that runs pods, Temporal, a git server, and the
 * product installed by Helm. Ended in the reverse order of its start.
 */
public final class World implements AutoCloseable {
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Path folder;
  private final Programs programs = Programs.fromEnvironment();
  private final HostNetwork network;
  private final ControlPlane cluster;
  private final Temporal temporal;
  private final PodRunner pods;
  private final GitServer git;
  private final KubernetesClient client;
  private final StatusRecorder statuses;
  private final Installation installation;
  private final Cli cli;

  /** Starts a Temporal service. */
  @FunctionalInterface
  public interface TemporalStart {
    /**
     * Starts it.
     *
     * @param folder for its data and logs
     * @param host the address it listens at
     */
    Temporal start(Programs programs, Path folder, String host);
  }

  /**
   * Starts one. Needs root, the engines of {@code e2e/engines/build}, and the product built.
   *
   * @param folder for all data and logs
   * @param temporal starts Temporal, such as {@code DevTemporal::new}
   */
  public World(Path folder, TemporalStart temporal) {
    this.folder = folder;
    Path repository = Path.of("..").toAbsolutePath().normalize();
    try {
      this.network = part(HostNetwork.open());
      this.cluster =
          part(new ControlPlane(programs, folder.resolve("control-plane"), network.host()));
      this.temporal = part(temporal.start(programs, folder.resolve("temporal"), network.host()));
      this.pods =
          part(
              PodRunner.withMemoryLimits(
                  cluster,
                  network,
                  Pulled.images(repository, programs, folder.resolve("images")),
                  folder.resolve("pods")));
      this.git = part(new GitServer(folder.resolve("git"), network.host()));
      this.client = part(cluster.client());
      this.installation = new Installation(programs, cluster, repository);
      upgrade(Map.of());
      this.statuses = part(new StatusRecorder(client));
      this.cli = new Cli(repository, cluster.adminKubeconfig(), this.temporal.address());
    } catch (RuntimeException e) {
      closeAfter(e);
      throw e;
    }
  }

  private void closeAfter(RuntimeException failure) {
    try {
      close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.push(part);
    return part;
  }

  /**
   * Gives the installation these values and waits until its pods are ready.
   *
   * @param values of the chart, on top of what this world needs
   */
  public void upgrade(Map<String, String> values) {
    Map<String, String> all = new HashMap<>(Map.of("temporal.address", this.temporal.address()));
    all.putAll(values);
    installation.install(all);
  }

  /** The names of pods that run and are not being deleted, whose name has this part. */
  public List<String> runningPods(String namespace, String part) {
    return client.pods().inNamespace(namespace).list().getItems().stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
        .map(pod -> pod.getMetadata().getName())
        .filter(name -> name.contains(part))
        .sorted()
        .toList();
  }

  /** A place for one test, in a namespace of this name. */
  public Place place(String namespace) {
    return new Place(client, git, namespace, folder.resolve("journals").resolve(namespace));
  }

  /** The program as a person types it. */
  public Cli cli() {
    return cli;
  }

  /** The control plane. */
  public ControlPlane cluster() {
    return cluster;
  }

  /** Temporal. */
  public Temporal temporal() {
    return temporal;
  }

  /** What runs the pods. */
  public PodRunner pods() {
    return pods;
  }

  /** Every status that was written. */
  public StatusRecorder statuses() {
    return statuses;
  }

  /** A client with all rights. */
  public KubernetesClient client() {
    return client;
  }

  /** Where the engines are. */
  public Programs programs() {
    return programs;
  }

  @Override
  public void close() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }
}
