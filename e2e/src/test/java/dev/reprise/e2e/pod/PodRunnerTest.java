package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.ControlPlane;
import dev.reprise.e2e.engine.HostNetwork;
import dev.reprise.e2e.engine.Programs;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodRunnerTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private HostNetwork network;
  private ControlPlane cluster;
  private PodRunner runner;
  private KubernetesClient client;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
    network = HostNetwork.open();
    cluster = new ControlPlane(Programs.fromEnvironment(), folder.resolve("plane"), network.host());
    client = cluster.client();
    Path program = folder.resolve("program");
    Files.createDirectories(program);
    Files.write(program.resolve("serve"), resource("pods/serve"));
    assertThat(program.resolve("serve").toFile().setExecutable(true, false)).isTrue();
    Image image =
        new Image(
            List.of(new Image.Layer(program, "/program")),
            List.of(),
            Map.of("PATH", System.getProperty("java.home") + "/bin:/usr/bin:/bin"),
            Image.ROOT);
    Images images = new Images(Map.of(), Set.of("nowhere"), image);
    runner = new PodRunner(cluster, network, images, folder.resolve("pods"));
  }

  @AfterAll
  void stop() {
    runner.close();
    client.close();
    cluster.close();
    network.close();
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(PodRunnerTest.class.getClassLoader().getResourceAsStream(name))) {
      return stream.readAllBytes();
    }
  }

  private String namespace(String name) {
    client
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return name;
  }

  private void apply(String namespace, String file) throws IOException {
    try (InputStream stream = PodRunnerTest.class.getClassLoader().getResourceAsStream(file)) {
      client.load(stream).inNamespace(namespace).create();
    }
  }

  private Pod awaitReady(String namespace, String name) {
    await("pod " + name + " to be ready")
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(pod(namespace, name).map(PodRunnerTest::ready)).contains(true));
    return pod(namespace, name).orElseThrow();
  }

  private Optional<Pod> pod(String namespace, String name) {
    return Optional.ofNullable(client.pods().inNamespace(namespace).withName(name).get());
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(
            condition ->
                condition.getType().equals("Ready") && condition.getStatus().equals("True"));
  }

  @Test
  void aStatefulSetRunsWithAllThatItAsksFor() throws IOException {
    String namespace = namespace("asks");

    apply(namespace, "pods/web.yaml");
    Pod pod = awaitReady(namespace, "web-0");

    assertThat(pod.getStatus().getPodIP()).startsWith("10.77.");
    assertThat(runner.log(namespace, "web-0", "main"))
        .contains(
            "colour blue, password s3cret, absent <unset>, in asks as default, memory 67108864",
            "user 1000:1000, folder /share/made, host web-0, init said filled-by-init",
            "secret s3cret, settings a=1")
        .doesNotContain("the root can be written");
    assertThat(
            runner
                .exec(
                    namespace,
                    "web-0",
                    "sh",
                    "-c",
                    "cat /var/run/secrets/kubernetes.io/serviceaccount/namespace; "
                        + "wc -c </var/run/secrets/kubernetes.io/serviceaccount/token")
                .output())
        .startsWith("asks")
        .hasSizeGreaterThan(6);
  }
}
