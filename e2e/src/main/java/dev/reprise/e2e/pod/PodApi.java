package dev.reprise.e2e.pod;

import dev.reprise.e2e.engine.ControlPlane;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls of a kubelet. Each takes at most 5 seconds and is not repeated here; a failure is a
 * {@link io.fabric8.kubernetes.client.KubernetesClientException}.
 */
final class PodApi implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** From the server's memory, so that asking often costs little. */
  private static final ListOptions CACHED =
      new ListOptionsBuilder().withResourceVersion("0").build();

  private final KubernetesClient client;

  PodApi(ControlPlane cluster) {
    Config config = Config.fromKubeconfig(cluster.adminKubeconfig().toFile());
    config.setRequestRetryBackoffLimit(0);
    config.setRequestTimeout((int) LIMIT.toMillis());
    this.client = new KubernetesClientBuilder().withConfig(config).build();
  }

  KubernetesClient client() {
    return client;
  }

  List<Pod> pods() {
    return client.pods().inAnyNamespace().list(CACHED).getItems();
  }

  List<Service> services() {
    return client.services().inAnyNamespace().list(CACHED).getItems();
  }

  /** Whether this very pod is there, by the server's own knowledge. */
  boolean exists(Pod pod) {
    Pod live = resource(pod).get();
    return live != null && live.getMetadata().getUid().equals(pod.getMetadata().getUid());
  }

  private PodResource resource(Pod pod) {
    ObjectMeta metadata = pod.getMetadata();
    return client.pods().inNamespace(metadata.getNamespace()).withName(metadata.getName());
  }

  void bind(Pod pod) {
    client
        .bindings()
        .inNamespace(pod.getMetadata().getNamespace())
        .resource(
            new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(NodeHeartbeat.NAME)
                .endTarget()
                .build())
        .create();
  }

  void writeStatus(Pod pod, PodStatus status) {
    Pod change =
        new PodBuilder()
            .withNewMetadata()
            .withUid(pod.getMetadata().getUid())
            .endMetadata()
            .withStatus(status)
            .build();
    resource(pod)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(change));
  }

  /** Removes a pod whose processes have ended. */
  void remove(Pod pod) {
    if (exists(pod)) {
      resource(pod)
          .withGracePeriod(0)
          .withPropagationPolicy(DeletionPropagation.BACKGROUND)
          .delete();
    }
  }

  Optional<Map<String, byte[]>> secret(String namespace, String name) {
    Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
    return Optional.ofNullable(secret).map(one -> decoded(one.getData()));
  }

  Optional<Map<String, byte[]>> configMap(String namespace, String name) {
    ConfigMap map = client.configMaps().inNamespace(namespace).withName(name).get();
    return Optional.ofNullable(map)
        .map(
            one -> {
              Map<String, byte[]> values = decoded(one.getBinaryData());
              if (one.getData() != null) {
                one.getData()
                    .forEach((key, text) -> values.put(key, text.getBytes(StandardCharsets.UTF_8)));
              }
              return values;
            });
  }

  private static Map<String, byte[]> decoded(Map<String, String> data) {
    Map<String, byte[]> values = new HashMap<>();
    if (data != null) {
      data.forEach((key, text) -> values.put(key, Base64.getDecoder().decode(text)));
    }
    return values;
  }

  /**
   * A token of the pod's service account, bound to the pod.
   *
   * @param audience empty: the API server's own
   */
  String token(Pod pod, String audience, long expirationSeconds) {
    List<String> audiences = new ArrayList<>();
    if (!audience.isEmpty()) {
      audiences.add(audience);
    }
    TokenRequest wanted =
        new TokenRequestBuilder()
            .withNewSpec()
            .withAudiences(audiences)
            .withExpirationSeconds(expirationSeconds)
            .withNewBoundObjectRef()
            .withApiVersion("v1")
            .withKind("Pod")
            .withName(pod.getMetadata().getName())
            .withUid(pod.getMetadata().getUid())
            .endBoundObjectRef()
            .endSpec()
            .build();
    return client
        .serviceAccounts()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(Optional.ofNullable(pod.getSpec().getServiceAccountName()).orElse("default"))
        .tokenRequest(wanted)
        .getStatus()
        .getToken();
  }

  @Override
  public void close() {
    client.close();
  }
}
