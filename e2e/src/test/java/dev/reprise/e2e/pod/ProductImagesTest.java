package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.Programs;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
class ProductImagesTest {

  @Test
  void theAgentServesAWorkspaceInAPodAndEndsWhenThePodIsDeleted(@TempDir Path folder)
      throws IOException {
    Images images = new ProductImages(Path.of(".."), Programs.fromEnvironment()).all();
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
}
