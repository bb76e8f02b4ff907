package dev.reprise.activities.kube;

import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.ResourceNotFoundException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Optional;

/** Stacks on the API server, as generic resources: one bad object must not break another. */
public final class StackObjects implements StackLookups {
  /** Where Stacks are served. */
  public static final ResourceDefinitionContext STACKS =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Stack")
          .withPlural("stacks")
          .withNamespaced(true)
          .build();

  /** {@code apiVersion} of a Stack. */
  public static final String API_VERSION = "pulumi.com/v1";

  /** {@code kind} of a Stack. */
  public static final String KIND = "Stack";

  /** One call to the API server, in milliseconds; the activities have 10 seconds and more. */
  private static final int REQUEST_MILLIS = 8_000;

  private final KubernetesClient client;

  /** Reads and writes with this client. */
  public StackObjects(KubernetesClient client) {
    this.client = client;
  }

  /** The same client with a limit on each call and no retries of its own: Temporal retries. */
  public static KubernetesClient limited(KubernetesClient client) {
    return client
        .newClient(
            new RequestConfigBuilder()
                .withRequestTimeout(REQUEST_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .build())
        .adapt(KubernetesClient.class);
  }

  @Override
  public StackLookup get(StackRef stack) {
    try {
      GenericKubernetesResource found = require(named(stack));
      return stack.uid().equals(found.getMetadata().getUid())
          ? new StackLookup.Found(found)
          : new StackLookup.Gone();
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND -> notFound(stack, e.getStatus());
        case HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_UNAUTHORIZED ->
            new StackLookup.Unreadable(
                "reading Stack %s was refused (%d): grant get on stacks in pulumi.com in namespace %s"
                    .formatted(stack, e.getCode(), stack.namespace()));
        default -> throw e;
      };
    }
  }

  /** The Stack under this name, whatever its uid. */
  public Resource<GenericKubernetesResource> named(StackRef stack) {
    return client
        .genericKubernetesResources(STACKS)
        .inNamespace(stack.namespace())
        .withName(stack.name());
  }

  /**
   * Reads an object that ought to be there.
   *
   * @throws KubernetesClientException with the server's answer, a 404 included
   */
  public static <T> T require(Resource<T> resource) {
    try {
      return resource.require();
    } catch (ResourceNotFoundException e) {
      // fabric8 puts every failed answer into this exception, not only a 404.
      if (e.getCause() instanceof KubernetesClientException answer) {
        throw answer;
      }
      throw e;
    }
  }

  /**
   * Reads an object that may not be there.
   *
   * @throws KubernetesClientException with any other answer than a 404
   */
  public static <T> Optional<T> find(Resource<T> resource) {
    try {
      return Optional.of(require(resource));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static StackLookup notFound(StackRef stack, Status status) {
    boolean namesIt =
        status != null
            && status.getDetails() != null
            && stack.name().equals(status.getDetails().getName())
            && STACKS.getPlural().equals(status.getDetails().getKind());
    return namesIt
        ? new StackLookup.Gone()
        : new StackLookup.Unreadable(
            "the API server does not know Stacks (404): install the CustomResourceDefinition"
                + " stacks.pulumi.com");
  }
}
