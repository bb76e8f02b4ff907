package dev.reprise.activities.observe;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Prerequisite;
import dev.reprise.stack.status.LastUpdate;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Which of the Stacks that have to succeed first have not. */
final class Prerequisites {
  private final KubernetesClient client;
  private final InstantSource clock;

  Prerequisites(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * A short sentence for each that is not satisfied.
   *
   * @param revision what the waiting Stack is about to run
   */
  List<String> unsatisfied(List<Prerequisite> wanted, String namespace, String revision) {
    List<String> sentences = new ArrayList<>();
    for (Prerequisite one : wanted) {
      String missing = unsatisfied(one, namespace, revision);
      if (!missing.isEmpty()) {
        sentences.add("prerequisite " + one.name() + " " + missing);
      }
    }
    return sentences;
  }

  private String unsatisfied(Prerequisite one, String namespace, String revision) {
    GenericKubernetesResource other;
    try {
      other =
          StackObjects.require(
              client
                  .genericKubernetesResources(StackObjects.STACKS)
                  .inNamespace(namespace)
                  .withName(one.name()));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return "does not exist";
      }
      throw e;
    }
    StackIdentity identity = StackReader.identity(other);
    LastUpdate last = StackReader.status(other).lastUpdate();
    Duration within = one.requirement().succeededWithin();
    if (identity.deleting()) {
      return "is being deleted";
    }
    if (last.equals(LastUpdate.NONE)) {
      return "has not run yet";
    }
    if (last.generation() != identity.generation()) {
      return "has not run its generation " + identity.generation() + " yet";
    }
    if (!last.reconcileRequest().equals(identity.reconcileRequest())) {
      return "has not obeyed its reconciliation request yet";
    }
    if (!"succeeded".equals(last.state())) {
      return "has not succeeded";
    }
    if (!within.isZero() && last.lastResyncTime().plus(within).isBefore(clock.instant())) {
      return "succeeded longer ago than " + one.requirement().succeededWithinDuration();
    }
    return one.requirement().sameRevision() && !last.lastSuccessfulCommit().equals(revision)
        ? "has not succeeded at the same revision yet"
        : "";
  }
}
