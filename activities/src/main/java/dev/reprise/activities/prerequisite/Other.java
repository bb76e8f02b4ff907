package dev.reprise.activities.prerequisite;

import dev.reprise.stack.ReconcileReason;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.Condition;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.condition.Situations;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Another Stack, as one that waits for it sees it. */
record Other(GenericKubernetesResource resource, StackIdentity identity, StackStatus status) {
  private static final String PROCESSING = "StackProcessing";

  static Other of(GenericKubernetesResource resource) {
    return new Other(resource, StackReader.identity(resource), StackReader.status(resource));
  }

  LastUpdate last() {
    return status.lastUpdate();
  }

  /** Whether its last update was for what is asked of it now. */
  boolean current() {
    return isCurrent(last().generation(), last().reconcileRequest());
  }

  /** Whether its last attempt, also one in which no operation ran, was for this and failed. */
  boolean failing() {
    RetryStatus.Attempt attempt = status.retry().last();
    boolean attempted =
        !attempt.equals(RetryStatus.Attempt.NONE)
            && isCurrent(attempt.generation(), attempt.reconcileRequest());
    return attempted
        ? !attempt.result().equals("succeeded")
        : current() && !last().equals(LastUpdate.NONE) && !last().state().equals("succeeded");
  }

  private boolean isCurrent(long generation, String token) {
    return generation == identity.generation() && token.equals(identity.reconcileRequest());
  }

  boolean paused() {
    return !identity.pause().isEmpty() || status.retry().paused();
  }

  boolean stalled() {
    return reason("Stalled").isPresent();
  }

  boolean reconciling() {
    return reason("Reconciling").isPresent();
  }

  /** Whether it runs or prepares to. */
  boolean processing() {
    return reason("Reconciling").filter(PROCESSING::equals).isPresent();
  }

  /** Whether a dependent asked for the run after its last update before. */
  boolean askedAlready() {
    return StackReader.askedBefore(resource, ReconcileReason.tokenAfter(last().name()));
  }

  /** Whether it rests, done with all that was asked of it. */
  boolean idle() {
    return !identity.deleting()
        && current()
        && last().state().equals("succeeded")
        && !failing()
        && !paused()
        && !stalled()
        && !reconciling();
  }

  /** What it does now, to be put behind a sentence; "" when it rests. */
  String doing() {
    if (paused()) {
      return "; it is paused";
    }
    if (stalled()) {
      return "; it is stalled" + reason("Stalled").map(Other::inBrackets).orElse("");
    }
    Instant next = status.retry().nextAttemptTime();
    if (next.isAfter(Instant.EPOCH)) {
      return "; it tries again at " + next.truncatedTo(ChronoUnit.SECONDS);
    }
    return reason("Reconciling")
        .map(
            word ->
                word.equals(Situations.PREREQUISITE_NOT_SATISFIED)
                    ? "; it waits for its own prerequisites"
                    : word.equals(PROCESSING) ? "; it is on its way" : "")
        .orElse("");
  }

  /** How it failed, in a few words. */
  String failure() {
    long failures = Math.max(last().failures(), status.retry().failures());
    String how =
        failures > 1
            ? "failed " + failures + " times in a row"
            : failures == 1 ? "failed" : "has not succeeded";
    return how + inBrackets(status.retry().last().reason());
  }

  /** The reason of a condition that is true; "" where it is not one word. */
  private Optional<String> reason(String type) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equals(type) && condition.status().equals("True"))
        .map(Condition::reason)
        .map(reason -> reason.matches("[A-Za-z]{1,60}") ? reason : "")
        .findFirst();
  }

  private static String inBrackets(String word) {
    return word.matches("[A-Za-z]{1,60}") ? " (" + word + ")" : "";
  }
}
