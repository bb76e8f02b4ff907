package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code reprise dev --kube}: the same on a cluster that is there already. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class KubeTest {

  @Test
  void installsWhatIsMissingAndRunsTheStacksOfTheCurrentContext(@TempDir Path folder)
      throws Exception {
    try (EmbeddedKubernetes cluster = EmbeddedKubernetes.start();
        KubernetesClient client = cluster.client();
        Sandbox sandbox = new Sandbox(folder)) {
      Path kubeconfig = sandbox.write("kubeconfig", cluster.kubeconfig());
      sandbox.with("KUBECONFIG", kubeconfig.toString()).quickstart();
      assertThat(client.apiextensions().v1().customResourceDefinitions().list().getItems())
          .isEmpty();

      RepriseProcess dev =
          sandbox.start("dev", "--kube", "--until", "ready", "quickstart/site.yaml");

      assertThat(dev.awaitExit()).as(dev.output()).isZero();
      assertThat(client.apiextensions().v1().customResourceDefinitions().list().getItems())
          .extracting(definition -> definition.getMetadata().getName())
          .containsExactlyInAnyOrder("stacks.pulumi.com", "programs.pulumi.com");
      assertThat(new StackList(client).rows())
          .singleElement()
          .satisfies(site -> assertThat(site.ready()).isTrue());
      assertThat(sandbox.left()).isEmpty();
    }
  }
}
