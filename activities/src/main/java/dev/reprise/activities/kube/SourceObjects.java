package dev.reprise.activities.kube;

import dev.reprise.stack.source.SourceObject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;

/** The objects in a Stack's namespace that offer its program. */
public final class SourceObjects {
  private final KubernetesClient client;

  /** Reads with this client. */
  public SourceObjects(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Reads the object behind a source.
   *
   * @throws InputMissing naming the field, when there is no such object or it may not be read
   */
  public GenericKubernetesResource get(SourceObject object, String namespace) throws InputMissing {
    String path = object.isProgram() ? "spec.programRef.name" : "spec.fluxSource.sourceRef";
    return get(object.kind(), namespace, object.name(), path);
  }

  private GenericKubernetesResource get(
      ResourceDefinitionContext context, String namespace, String name, String path)
      throws InputMissing {
    try {
      return StackObjects.require(
          client.genericKubernetesResources(context).inNamespace(namespace).withName(name));
    } catch (KubernetesClientException e) {
      throw switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND ->
            new InputMissing(
                "%s: %s %s/%s does not exist: create it"
                    .formatted(path, context.getKind(), namespace, name));
        case HttpURLConnection.HTTP_FORBIDDEN ->
            new InputMissing(
                "%s: reading %s %s/%s was refused: grant get on %s in %s"
                    .formatted(
                        path,
                        context.getKind(),
                        namespace,
                        name,
                        context.getPlural(),
                        context.getGroup()));
        default -> throw e;
      };
    }
  }
}
