package dev.reprise.activities.operation;

import io.fabric8.kubernetes.api.model.Secret;

/** Keeps result Secrets. */
@FunctionalInterface
interface Results {
  /**
   * Creates the Secret; one that is there already was written by an earlier attempt.
   *
   * @return "" or a note why it could not be kept, for good
   * @throws io.fabric8.kubernetes.client.KubernetesClientException for a failure that passes
   */
  String keep(Secret secret);
}
