package dev.reprise.activities.operation;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Result Secrets in the Stack's namespace. */
final class KubernetesResults implements Results {
  private static final int UNPROCESSABLE = 422;

  private final KubernetesClient client;

  KubernetesResults(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public String keep(Secret secret) {
    try {
      client.secrets().resource(secret).create();
      return "";
    } catch (KubernetesClientException e) {
      boolean exists = e.getStatus() != null && "AlreadyExists".equals(e.getStatus().getReason());
      if (exists) {
        return "";
      }
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_FORBIDDEN,
            HttpURLConnection.HTTP_NOT_FOUND,
            HttpURLConnection.HTTP_BAD_REQUEST,
            HttpURLConnection.HTTP_ENTITY_TOO_LARGE,
            UNPROCESSABLE ->
            "its outputs could not be kept: creating Secret %s was refused (%d)"
                .formatted(secret.getMetadata().getName(), e.getCode());
        default -> throw e;
      };
    }
  }
}
