package dev.reprise.e2e.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("engines")
class ControlPlaneTest {

  @Test
  void anApiServerThatWasKilledComesBackWithWhatItHad(@TempDir Path folder) {
    try (HostNetwork network = HostNetwork.open();
        ControlPlane cluster =
            new ControlPlane(Programs.fromEnvironment(), folder, network.host());
        KubernetesClient client = cluster.client()) {
      client
          .configMaps()
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("kept")
                  .endMetadata()
                  .build())
          .create();

      cluster.apiServer().kill();
      cluster.apiServer().restart();
      cluster.awaitReady();

      assertThat(client.configMaps().inNamespace("default").withName("kept").get()).isNotNull();
    }
  }
}
