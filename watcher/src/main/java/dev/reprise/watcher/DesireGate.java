package dev.reprise.watcher;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether a Stack object wants its workflow to look. It compares only what the object asks
 * for with what its status shows, so an object in order costs nothing.
 */
final class DesireGate {
  /** A run writes by {@code nextWakeTime}; beyond that, allow for a busy or restarting worker. */
  private static final Duration OVERDUE = Duration.ofMinutes(10);

  /** A cancelled run reports as its last command; by then it has closed and a new one can start. */
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private DesireGate() {}

  /**
   * What the object wants.
   *
   * @param now the time, for a run that is overdue
   * @return empty when it wants nothing, also for an object without a name or uid
   */
  static Optional<Desire> wants(GenericKubernetesResource resource, Instant now) {
    StackIdentity stack = StackReader.identity(resource);
    if (stack.uid().isEmpty() || stack.name().isEmpty()) {
      return Optional.empty();
    }
    if (stack.deleting() && !stack.finalizerPresent()) {
      return Optional.empty();
    }
    return wants(stack, StackReader.status(resource), now);
  }

  private static Optional<Desire> wants(StackIdentity stack, StackStatus status, Instant now) {
    Instant wake = status.retry().nextWakeTime();
    boolean taken = !wake.equals(StackStatus.NO_TIME);
    if (wake.equals(Instant.EPOCH)) {
      // Its number tells this cancellation from an earlier one.
      String number = Long.toString(status.retry().sequence());
      return Optional.of(desire(stack, "run was cancelled", number, CLOSING));
    }
    if (taken && now.minus(OVERDUE).isAfter(wake)) {
      return Optional.of(desire(stack, "run is overdue", wake.toString(), Duration.ZERO));
    }
    if (stack.deleting()) {
      return desire(stack, "deletion requested");
    }
    if (!taken || !stack.finalizerPresent()) {
      return desire(stack, "not taken up yet");
    }
    RetryStatus.Looked looked = looked(status);
    if (stack.generation() != looked.generation()) {
      return desire(stack, "generation " + stack.generation());
    }
    if (!stack.reconcileRequest().equals(looked.reconcileRequest())) {
      return desire(stack, "reconciliation requested");
    }
    boolean pausedByAnnotation = !stack.pause().isEmpty();
    if (pausedByAnnotation && !status.retry().paused()) {
      return desire(stack, "paused");
    }
    if (!pausedByAnnotation && shownPausedByAnnotation(status.retry())) {
      return desire(stack, "resumed");
    }
    return Optional.empty();
  }

  /**
   * What the run has seen already. That it acts on it may have to wait, for a pause to end or for a
   * prerequisite, and telling it again would not help; what it acted on is observed in the status.
   */
  private static RetryStatus.Looked looked(StackStatus status) {
    RetryStatus.Looked looked = status.retry().looked();
    return looked.generation() > 0
        ? looked
        : new RetryStatus.Looked(status.observedGeneration(), status.observedReconcileRequest());
  }

  /** A person's hold is shown as a pause too, and ends without the object. */
  private static boolean shownPausedByAnnotation(RetryStatus shown) {
    return shown.paused() && shown.hold().isEmpty();
  }

  private static Optional<Desire> desire(StackIdentity stack, String reason) {
    return Optional.of(desire(stack, reason, "", Duration.ZERO));
  }

  /**
   * A wish is what the user side of the object says: it changes only when somebody asks for
   * something else, never by a write of the status, which a signal may itself bring about.
   *
   * @param run what identifies the run that was lost, where one was
   */
  private static Desire desire(StackIdentity stack, String reason, String run, Duration delay) {
    String wish =
        String.join(
            "\n",
            reason,
            run,
            Long.toString(stack.generation()),
            Boolean.toString(stack.deleting()),
            stack.pause(),
            stack.reconcileRequest());
    return new Desire(ref(stack), Desire.Topic.OBJECT, reason, wish, delay);
  }

  static StackRef ref(StackIdentity stack) {
    return new StackRef(stack.namespace(), stack.name(), stack.uid());
  }
}
