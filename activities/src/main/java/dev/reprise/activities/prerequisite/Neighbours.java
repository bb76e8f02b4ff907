package dev.reprise.activities.prerequisite;

import dev.reprise.activities.kube.StackObjects;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The Stacks of a namespace, each read at most once during one look. */
final class Neighbours {
  private final KubernetesClient client;
  private final String namespace;
  private final Map<String, Optional<Other>> read = new HashMap<>();

  Neighbours(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** One of them; empty when there is none of that name. */
  Optional<Other> find(String name) {
    return read.computeIfAbsent(name, this::get);
  }

  /** How many have been looked for. */
  int count() {
    return read.size();
  }

  private Optional<Other> get(String name) {
    try {
      return Optional.of(
          Other.of(
              StackObjects.require(
                  client
                      .genericKubernetesResources(StackObjects.STACKS)
                      .inNamespace(namespace)
                      .withName(name))));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
