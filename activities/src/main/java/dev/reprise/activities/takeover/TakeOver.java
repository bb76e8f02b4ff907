package dev.reprise.activities.takeover;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.takeover.OperatorObjects.Found;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes over what the Pulumi Kubernetes Operator left of a Stack: its StatefulSet, Service and pod
 * become Reprise's as they are, the outputs of the last up the Stack's; Workspace and Updates go.
 * Not to be used while that operator works. Idempotent, and goes on where it was broken off.
 */
public final class TakeOver {
  /** Nobody makes such objects any more; one who goes back to that operator may. */
  private static final Duration REMEMBERED = Duration.ofMinutes(5);

  private static final int MANY = 10_000;

  private final OperatorObjects objects;
  private final Adoption adoption;
  private final Updates updates;
  private final InstantSource clock;
  private final Map<StackRef, Instant> nothingLeft = new ConcurrentHashMap<>();
  private volatile Instant noneUntil = Instant.EPOCH;

  /**
   * Takes over with this client, which gets an own limit on each call.
   *
   * @param clock tells when to look again
   */
  public TakeOver(KubernetesClient client, InstantSource clock) {
    KubernetesClient limited = StackObjects.limited(client);
    this.objects = new OperatorObjects(limited);
    this.adoption = new Adoption(limited);
    this.updates = new Updates(objects);
    this.clock = clock;
  }

  /**
   * Takes over what there is of this Stack. What belongs to another uid, or to nobody, is left
   * alone.
   *
   * @return what is waited for, in a few words, when it has to be called again; empty when nothing
   *     is left
   * @throws KubernetesClientException when the API server refuses something or does not answer
   */
  public Optional<String> of(StackRef stack) {
    Instant now = clock.instant();
    if (now.isBefore(noneUntil) || now.isBefore(nothingLeft.getOrDefault(stack, Instant.EPOCH))) {
      return Optional.empty();
    }
    try {
      Optional<String> waiting = takeOver(stack, now);
      if (waiting.isEmpty()) {
        remember(stack, now);
      }
      return waiting;
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        // Changed or gone since it was read.
        case HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND ->
            Optional.of("what the Pulumi Kubernetes Operator left to come to rest");
        default -> throw e;
      };
    }
  }

  private Optional<String> takeOver(StackRef stack, Instant now) {
    Found found = objects.find(stack);
    if (!found.readable()) {
      noneUntil = now.plus(REMEMBERED);
      return Optional.empty();
    }
    Optional<GenericKubernetesResource> workspace =
        found.workspaces().stream()
            .filter(w -> OperatorObjects.ownedBy(w, stack.uid()))
            .findFirst();
    workspace.ifPresent(w -> adoption.adopt(stack, w.getMetadata().getUid()));
    List<GenericKubernetesResource> own = Updates.of(stack, found.updates());
    int left = updates.letGo(stack, own);
    if (left > 0) {
      return Optional.of(left + " more Updates of the Pulumi Kubernetes Operator to be let go");
    }
    return workspace
        .filter(w -> objects.deleteWorkspace(stack, w))
        .map(w -> "Workspace " + stack.name() + " of the Pulumi Kubernetes Operator to be gone");
  }

  private void remember(StackRef stack, Instant now) {
    if (nothingLeft.size() >= MANY) {
      nothingLeft.values().removeIf(until -> !now.isBefore(until));
    }
    nothingLeft.put(stack, now.plus(REMEMBERED));
  }
}
