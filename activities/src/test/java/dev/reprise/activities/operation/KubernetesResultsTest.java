package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.kube.Cluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KubernetesResultsTest {
  private final Cluster cluster = Cluster.start();
  private final KubernetesResults results = new KubernetesResults(cluster.client);

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void whatAnEarlierAttemptKeptStays() {
    assertThat(results.keep(secret("MQ=="))).isEmpty();
    assertThat(results.keep(secret("Mg=="))).isEmpty();
    assertThat(cluster.client.secrets().inNamespace("apps").withName("web-1-stack-outputs").get())
        .extracting(Secret::getData)
        .isEqualTo(Map.of("a", "MQ=="));
  }

  @Test
  void aRefusalForGoodIsANoteAndAFailureThatPassesIsThrown() {
    cluster.client.namespaces().withName("apps").delete();
    assertThat(results.keep(secret("MQ=="))).contains("web-1-stack-outputs was refused");
    cluster.server.faults().answer(1, r -> r.is("create", "secrets"), 503);
    assertThatThrownBy(() -> results.keep(secret("MQ==")))
        .isInstanceOf(KubernetesClientException.class);
  }

  private static Secret secret(String data) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace("apps")
        .withName("web-1-stack-outputs")
        .endMetadata()
        .withData(Map.of("a", data))
        .build();
  }
}
