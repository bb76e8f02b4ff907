package dev.reprise.activities.kube;

import dev.reprise.stack.spec.FluxSource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Locale;

/** The objects in a Stack's namespace that offer its program. */
public final class SourceObjects {
  private static final ResourceDefinitionContext PROGRAMS =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Program")
          .withPlural("programs")
          .withNamespaced(true)
          .build();

  private final KubernetesClient client;

  /** Reads with this client. */
  public SourceObjects(KubernetesClient client) {
    this.client = client;
  }

  /** A Program. */
  public GenericKubernetesResource program(String name, String namespace) throws InputMissing {
    return get(PROGRAMS, namespace, name, "spec.programRef.name");
  }

  /** A source of Flux, of whatever kind. */
  public GenericKubernetesResource flux(FluxSource.SourceRef ref, String namespace)
      throws InputMissing {
    return get(context(ref), namespace, ref.name(), "spec.fluxSource.sourceRef");
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

  private static ResourceDefinitionContext context(FluxSource.SourceRef ref) {
    int slash = ref.apiVersion().indexOf('/');
    String lower = ref.kind().toLowerCase(Locale.ROOT);
    return new ResourceDefinitionContext.Builder()
        .withGroup(slash < 0 ? "" : ref.apiVersion().substring(0, slash))
        .withVersion(ref.apiVersion().substring(slash + 1))
        .withKind(ref.kind())
        .withPlural(
            lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s")
        .withNamespaced(true)
        .build();
  }
}
