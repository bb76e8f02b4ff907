package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.engine.ControlPlane;
import dev.reprise.e2e.engine.HostNetwork;
import dev.reprise.e2e.engine.Programs;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A control plane whose pods run, with the image that the tests use. */
final class PodWorld implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  final HostNetwork network;
  final ControlPlane cluster;
  final PodRunner runner;
  final KubernetesClient client;

  PodWorld(Path folder, Images images) {
    network = HostNetwork.open();
    cluster = new ControlPlane(Programs.fromEnvironment(), folder.resolve("plane"), network.host());
    client = cluster.client();
    runner = PodRunner.withMemoryLimits(cluster, network, images, folder.resolve("pods"));
  }

  /** Images of the tests: one with a small server, for every name but {@code nowhere}. */
  static Images testImages(Path folder) throws IOException {
    Path program = folder.resolve("program");
    Files.createDirectories(program);
    Files.writeString(program.resolve("serve"), resource("pods/serve"));
    assertThat(program.resolve("serve").toFile().setExecutable(true, false)).isTrue();
    Image image =
        new Image(
            List.of(new Image.Layer(program, "/program")),
            List.of(),
            Map.of("PATH", System.getProperty("java.home") + "/bin:/usr/bin:/bin"),
            Image.ROOT);
    return new Images(Map.of(), Set.of("nowhere"), image);
  }

  static String resource(String name) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(PodWorld.class.getClassLoader().getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  String namespace(String name) {
    client
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    Awaitility.await("the default service account")
        .atMost(LIMIT)
        .until(() -> client.serviceAccounts().inNamespace(name).withName("default").get() != null);
    return name;
  }

  void apply(String namespace, String yaml) {
    client
        .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
        .inNamespace(namespace)
        .create();
  }

  /** A pod of one container that runs a shell script. */
  void shell(String namespace, String name, String restartPolicy, String script) {
    apply(
        namespace,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s}
        spec:
          restartPolicy: %s
          terminationGracePeriodSeconds: 2
          containers:
            - name: main
              image: any
              command: [sh, -c, '%s']
        """
            .formatted(name, restartPolicy, script));
  }

  Optional<Pod> pod(String namespace, String name) {
    return Optional.ofNullable(client.pods().inNamespace(namespace).withName(name).get());
  }

  Pod await(String namespace, String name, String what, Predicate<Pod> condition) {
    Awaitility.await("pod " + name + ": " + what)
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> pod(namespace, name).filter(condition).isPresent());
    return pod(namespace, name).orElseThrow();
  }

  Pod awaitReady(String namespace, String name) {
    return await(namespace, name, "ready", PodWorld::ready);
  }

  void awaitGone(String namespace, String name) {
    Awaitility.await("pod " + name + " to be gone")
        .atMost(LIMIT)
        .until(() -> pod(namespace, name).isEmpty());
  }

  static boolean ready(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(
            condition ->
                condition.getType().equals("Ready") && condition.getStatus().equals("True"));
  }

  static ContainerStatus main(Pod pod) {
    return pod.getStatus().getContainerStatuses().getFirst();
  }

  /** Whether any of these processes is still there. */
  static boolean alive(List<Long> pids) {
    return pids.stream().anyMatch(pid -> ProcessHandle.of(pid).isPresent());
  }

  @Override
  public void close() {
    runner.close();
    client.close();
    cluster.close();
    network.close();
  }
}
