package dev.reprise.watcher;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Optional;

/**
 * Decides whether a waiting run has to hear of another retry policy: an annotation, or a default of
 * the operator, changes without a new generation. A Stack that waits for nothing need not be woken
 * for it; it reads its policy when it next has a reason to.
 */
final class PolicyGate {
  private final StackReader reader;

  /**
   * @param reader knows the defaults; the workers have to have the same
   */
  PolicyGate(StackReader reader) {
    this.reader = reader;
  }

  /** What the object wants for its policy's sake. */
  Optional<Desire> wants(GenericKubernetesResource resource) {
    StackIdentity stack = StackReader.identity(resource);
    RetryStatus shown = StackReader.status(resource).retry();
    if (shown.policy().isEmpty() || (stack.deleting() && !stack.finalizerPresent())) {
      return Optional.empty();
    }
    String policy = reader.retryPolicy(resource);
    if (policy.equals(shown.policy()) || !matters(shown, policy)) {
      return Optional.empty();
    }
    return Optional.of(
        new Desire(
            DesireGate.ref(stack),
            Desire.Topic.POLICY,
            "retry policy changed",
            stack.generation() + " " + policy));
  }

  private static boolean matters(RetryStatus shown, String policy) {
    return shown.failures() > 0
        || !shown.nextAttemptTime().equals(StackStatus.NO_TIME)
        || policy.equals(StackReader.INVALID)
        || shown.policy().equals(StackReader.INVALID);
  }
}
