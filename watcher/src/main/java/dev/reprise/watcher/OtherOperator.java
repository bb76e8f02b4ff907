package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Whether the Pulumi Kubernetes Operator works in this cluster: it holds a Lease while it does. Two
 * operators on the same Stacks would run every operation twice.
 */
public final class OtherOperator {
  private static final String LEASE = "operator.pulumi.com";

  /** The operator's own setting, for a Lease that does not tell. */
  private static final Duration LEASE_LIFE = Duration.ofSeconds(60);

  private final KubernetesClient client;
  private final InstantSource clock;

  /**
   * Looks with this client, which has a limit on each call.
   *
   * @param clock has to agree with the cluster's to some seconds
   */
  public OtherOperator(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * The Lease that is held now, as {@code namespace/name}.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when Leases cannot be read
   */
  public Optional<String> active() {
    return client
        .leases()
        .inAnyNamespace()
        .list(new ListOptionsBuilder().withFieldSelector("metadata.name=" + LEASE).build())
        .getItems()
        .stream()
        .filter(lease -> lease.getMetadata().getName().equals(LEASE))
        .filter(this::held)
        .map(lease -> lease.getMetadata().getNamespace() + "/" + LEASE)
        .findFirst();
  }

  private boolean held(Lease lease) {
    LeaseSpec spec = lease.getSpec();
    if (spec == null
        || spec.getRenewTime() == null
        || spec.getHolderIdentity() == null
        || spec.getHolderIdentity().isEmpty()) {
      return false;
    }
    Duration life =
        spec.getLeaseDurationSeconds() == null
            ? LEASE_LIFE
            : Duration.ofSeconds(spec.getLeaseDurationSeconds());
    return spec.getRenewTime().toInstant().plus(life).isAfter(clock.instant());
  }
}
