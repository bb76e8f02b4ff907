package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.dev.kube.EmbeddedKubernetes;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OtherOperatorTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  private final EmbeddedKubernetes server = EmbeddedKubernetes.start();
  private final KubernetesClient client = server.client();
  private final OtherOperator operator = new OtherOperator(client, () -> NOW);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  void whoeverRenewsTheLeaseWorksUntilItsTimeIsOver() {
    assertThat(operator.active()).isEmpty();
    lease("operator.pulumi.com", "pod-1", NOW.minusSeconds(59));
    assertThat(operator.active()).contains("default/operator.pulumi.com");
    lease("operator.pulumi.com", "pod-1", NOW.minusSeconds(60));
    assertThat(operator.active()).isEmpty();
  }

  @Test
  void aLeaseThatWasGivenBackOrIsSomebodyElsesIsNone() {
    lease("operator.pulumi.com", "", NOW);
    lease("another", "pod-1", NOW);
    assertThat(operator.active()).isEmpty();
  }

  private void lease(String name, String holder, Instant renewed) {
    client
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds((int) Duration.ofMinutes(1).toSeconds())
                .withRenewTime(renewed.atZone(ZoneOffset.UTC))
                .endSpec()
                .build())
        .forceConflicts()
        .serverSideApply();
  }
}
