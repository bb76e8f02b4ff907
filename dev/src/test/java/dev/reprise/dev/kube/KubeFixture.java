package dev.reprise.dev.kube;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;

/** A server with the CRD {@code widgets.example.com}, and short ways to use it. */
final class KubeFixture implements AutoCloseable {
  static final ResourceDefinitionContext WIDGETS =
      new ResourceDefinitionContext.Builder()
          .withGroup("example.com")
          .withVersion("v1")
          .withKind("Widget")
          .withPlural("widgets")
          .withNamespaced(true)
          .build();

  final EmbeddedKubernetes server;
  final KubernetesClient client;

  KubeFixture() {
    this(EmbeddedKubernetes.Options.defaults());
  }

  KubeFixture(EmbeddedKubernetes.Options options) {
    server = EmbeddedKubernetes.start(options);
    client = server.client();
    if (client.resource(widgetCrd()).get() == null) {
      client.resource(widgetCrd()).create();
    }
  }

  static CustomResourceDefinition widgetCrd() {
    InputStream yaml =
        Objects.requireNonNull(KubeFixture.class.getResourceAsStream("/widget-crd.yaml"));
    return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
  }

  MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      widgets() {
    return client.genericKubernetesResources(WIDGETS);
  }

  Resource<GenericKubernetesResource> widget(String name) {
    return widgets().inNamespace("default").withName(name);
  }

  GenericKubernetesResource create(String name) {
    return widgets().inNamespace("default").resource(widgetOf(name, "title: abc")).create();
  }

  /** A Widget from the lines of its spec, separated by {@code ;}. */
  static GenericKubernetesResource widgetOf(String name, String spec) {
    return parse(
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: %s\nspec:\n  %s\n"
            .formatted(name, spec.replace(";", "\n  ")));
  }

  static GenericKubernetesResource parse(String yaml) {
    return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
  }

  /** Server-side apply of a status given as YAML lines separated by {@code ;}. */
  GenericKubernetesResource applyStatus(String name, String manager, boolean force, String yaml) {
    return widget(name)
        .subresource("status")
        .patch(
            applyAs(manager, force),
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: %s\nstatus:\n  %s\n"
                .formatted(name, yaml.replace(";", "\n  ")));
  }

  GenericKubernetesResource apply(String name, String manager, boolean force, String spec) {
    var operation =
        widgets().inNamespace("default").resource(widgetOf(name, spec)).fieldManager(manager);
    return force ? operation.forceConflicts().serverSideApply() : operation.serverSideApply();
  }

  static PatchContext applyAs(String manager, boolean force) {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(manager)
        .withForce(force)
        .build();
  }

  /** The HTTP status with which a call is refused, or 0 when it is not. */
  static int refusal(Runnable call) {
    try {
      call.run();
      return 0;
    } catch (KubernetesClientException e) {
      return e.getCode();
    }
  }

  /** A plain request past the client. */
  HttpResponse<String> http(String method, String path, String contentType, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Bearer " + server.token())
            .header("Content-Type", contentType)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
