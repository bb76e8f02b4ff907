package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** The node that all pods run on, and the signs of life without which they would be evicted. */
final class NodeHeartbeat {
  /** The node's name. */
  static final String NAME = "e2e";

  private static final String LEASES = "kube-node-lease";
  private static final Duration EVERY = Duration.ofSeconds(10);

  private final KubernetesClient client;
  private final String address;
  private final Clock clock;
  private Instant last = Instant.EPOCH;

  NodeHeartbeat(KubernetesClient client, String address, Clock clock) {
    this.client = client;
    this.address = address;
    this.clock = clock;
  }

  /** Makes the node when it is not there, and renews its signs of life when they are due. */
  void beat() {
    Instant now = clock.instant();
    if (now.isBefore(last.plus(EVERY))) {
      return;
    }
    if (client.nodes().withName(NAME).get() == null) {
      client.nodes().resource(new NodeBuilder(node(now)).withStatus(null).build()).create();
    }
    client.nodes().resource(node(now)).patchStatus();
    renew(now);
    last = now;
  }

  private Node node(Instant now) {
    Map<String, Quantity> capacity =
        Map.of(
            "cpu", new Quantity("64"),
            "memory", new Quantity("256Gi"),
            "pods", new Quantity("250"));
    return new NodeBuilder()
        .withNewMetadata()
        .withName(NAME)
        .addToLabels("kubernetes.io/hostname", NAME)
        .addToLabels("kubernetes.io/os", "linux")
        .endMetadata()
        .withNewStatus()
        .addNewAddress(address, "InternalIP")
        .withCapacity(capacity)
        .withAllocatable(capacity)
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .withReason("KubeletReady")
        .withMessage("the pod runner runs")
        .withLastHeartbeatTime(now.truncatedTo(ChronoUnit.SECONDS).toString())
        .endCondition()
        .endStatus()
        .build();
  }

  private void renew(Instant now) {
    Lease lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace(LEASES)
            .withName(NAME)
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(NAME)
            .withLeaseDurationSeconds(40)
            .withRenewTime(ZonedDateTime.ofInstant(now, ZoneOffset.UTC))
            .endSpec()
            .build();
    client.leases().inNamespace(LEASES).resource(lease).forceConflicts().serverSideApply();
  }
}
