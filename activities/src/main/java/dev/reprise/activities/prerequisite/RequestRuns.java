package dev.reprise.activities.prerequisite;

import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.ReconcileReason;
import dev.reprise.stack.StackIdentity;
import dev.reprise.workflows.activity.PrerequisiteActivity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.RunRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets the force token of prerequisites, and the reason beside it, by server-side apply under the
 * Pulumi Kubernetes Operator's name for that, so that the two never contend for the annotation. The
 * apply names the version that was judged: nothing that changed meanwhile is asked, and nothing
 * that was deleted is created anew.
 */
public final class RequestRuns implements PrerequisiteActivity {
  private static final String FIELD_MANAGER = "pulumi-kubernetes-operator/prerequisite-request";

  /** Somebody else writing at the same moment, again and again, is left to the next look. */
  private static final int TRIES = 5;

  private final KubernetesClient client;
  private final StackObjects stacks;

  /** Asks through this client. */
  public RequestRuns(KubernetesClient client) {
    this.client = client;
    this.stacks = new StackObjects(client);
  }

  @Override
  public RequestOutput requestRuns(RequestInput input) {
    List<String> asked = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (RunRequest request : input.requests()) {
      StackRef prerequisite =
          new StackRef(input.stack().namespace(), request.name(), request.uid());
      try {
        if (ask(prerequisite, request)) {
          asked.add(request.name());
        }
      } catch (KubernetesClientException e) {
        if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
          throw e;
        }
        problems.add(
            "prerequisite %s cannot be asked to run: grant patch on stacks in pulumi.com in namespace %s"
                .formatted(request.name(), prerequisite.namespace()));
      }
    }
    return new RequestOutput(List.copyOf(asked), List.copyOf(problems));
  }

  private boolean ask(StackRef prerequisite, RunRequest request) {
    for (int i = 0; i < TRIES; i++) {
      if (!(stacks.get(prerequisite) instanceof StackLookup.Found found)) {
        return false;
      }
      Other other = Other.of(found.resource());
      boolean same = other.last().name().equals(request.update());
      if (!same || !other.idle() || other.askedAlready()) {
        return false;
      }
      if (apply(other.identity(), request)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it was still as it had been read. */
  private boolean apply(StackIdentity read, RunRequest request) {
    String token = ReconcileReason.tokenAfter(request.update());
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(StackObjects.API_VERSION);
    object.setKind(StackObjects.KIND);
    object.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(read.namespace())
            .withName(read.name())
            .withUid(read.uid())
            .withResourceVersion(read.resourceVersion())
            .addToAnnotations(StackIdentity.RECONCILE_REQUEST, token)
            .addToAnnotations(
                ReconcileReason.ANNOTATION, ReconcileReason.value(token, request.reason()))
            .build());
    try {
      client
          .genericKubernetesResources(StackObjects.STACKS)
          .inNamespace(read.namespace())
          .resource(object)
          .patch(
              new PatchContext.Builder()
                  .withPatchType(PatchType.SERVER_SIDE_APPLY)
                  .withFieldManager(FIELD_MANAGER)
                  .withForce(true)
                  .build());
      return true;
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND -> false;
        default -> throw e;
      };
    }
  }
}
