package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.DevTemporal;
import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.world.Installation;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
class ProductImagesTest {
  private static final Path REPOSITORY = Path.of("..");

  @Test
  void theAgentServesAWorkspaceInAPodAndEndsWhenThePodIsDeleted(@TempDir Path folder)
      throws IOException {
    Images images = new ProductImages(REPOSITORY, Programs.fromEnvironment()).all();
    try (PodWorld world = new PodWorld(folder, images)) {
      String namespace = world.namespace("product");

      world.apply(namespace, PodWorld.resource("pods/workspace.yaml"));
      Pod pod = world.awaitReady(namespace, "shop-workspace-0");
      await("the agent to listen")
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(
              () -> {
                try (Socket socket = new Socket(pod.getStatus().getPodIP(), 50051)) {
                  return socket.isConnected();
                }
              });

      assertThat(world.runner.exec(namespace, "shop-workspace-0", "pulumi", "version").output())
          .startsWith("v3.");
      List<Long> pids = world.runner.pids(namespace, "shop-workspace-0");
      world.client.pods().inNamespace(namespace).withName("shop-workspace-0").delete();
      await("the agent to end").atMost(Duration.ofSeconds(30)).until(() -> !PodWorld.alive(pids));
    }
  }

  @Test
  void whatTheChartInstallsBecomesReady(@TempDir Path folder) {
    Programs programs = Programs.fromEnvironment();
    Images images = new ProductImages(REPOSITORY, programs).all();
    try (PodWorld world = new PodWorld(folder, images);
        DevTemporal temporal =
            new DevTemporal(programs, folder.resolve("temporal"), world.network.host())) {
      new Installation(programs, world.cluster, REPOSITORY)
          .install(Map.of("temporal.address", temporal.address()));

      assertThat(world.client.pods().inNamespace(Installation.NAMESPACE).list().getItems())
          .hasSize(3)
          .allMatch(PodWorld::ready);
    }
  }
}
