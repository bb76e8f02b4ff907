package dev.reprise.watcher;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the API server for the metadata of objects only. The client library has no call for it
 * (https://github.com/fabric8io/kubernetes-client/issues/5716), so the header is set by hand.
 */
final class MetadataOnly implements Interceptor {
  /** A list of metadata without an entry has {@code "items": null}, which breaks an informer. */
  private static final JsonMapper NULL_IS_EMPTY =
      JsonMapper.builder()
          .withConfigOverride(
              List.class,
              lists -> lists.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .build();

  private MetadataOnly() {}

  /** A client like the other, to be closed by itself. */
  static KubernetesClient like(KubernetesClient other) {
    return new KubernetesClientBuilder()
        .withConfig(other.getConfiguration())
        .withKubernetesSerialization(new KubernetesSerialization(NULL_IS_EMPTY, true))
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor(MetadataOnly.class.getName(), new MetadataOnly()))
        .build();
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String query = request.uri().getQuery();
    boolean watch = query != null && query.contains("watch=true");
    String kind = watch ? "PartialObjectMetadata" : "PartialObjectMetadataList";
    builder.setHeader(
        "Accept", "application/json;as=" + kind + ";g=meta.k8s.io;v=v1,application/json");
  }
}
