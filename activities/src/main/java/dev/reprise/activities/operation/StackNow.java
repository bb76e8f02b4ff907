package dev.reprise.activities.operation;

import dev.reprise.activities.kube.StackLookup;
import dev.reprise.activities.kube.StackLookups;
import dev.reprise.stack.Stack;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Stack of an operation as the cluster has it now, against what was decided on. */
final class StackNow {
  private static final Logger LOG = LoggerFactory.getLogger(StackNow.class);

  private final StackLookups stacks;
  private final StackReader reader;
  private final OperationInput input;

  StackNow(StackLookups stacks, StackReader reader, OperationInput input) {
    this.stacks = stacks;
    this.reader = reader;
    this.input = input;
  }

  /** Whether the operation is still wanted. */
  sealed interface Look {}

  /** It is. */
  record Wanted(Stack stack) implements Look {}

  /** It is not, or not possible. */
  record Refused(Outcome outcome, String why) implements Look {}

  /**
   * Reads the Stack.
   *
   * @throws KubernetesClientException for a failure that passes
   */
  Look look() {
    return switch (stacks.get(input.stack())) {
      case StackLookup.Gone gone -> new Refused(Outcome.SUPERSEDED, "the Stack is gone");
      case StackLookup.Unreadable unreadable ->
          new Refused(Outcome.SUPERSEDED, unreadable.detail());
      case StackLookup.Found found -> {
        String changed = changed(found.resource());
        if (!changed.isEmpty()) {
          yield new Refused(Outcome.SUPERSEDED, changed);
        }
        try {
          yield new Wanted(read(found.resource()));
        } catch (SpecInvalid e) {
          yield new Refused(Outcome.INPUT_REFUSED, String.valueOf(e.getMessage()));
        }
      }
    };
  }

  /** The Stack whatever was decided on; empty when it cannot be read now. */
  Optional<Stack> readable() {
    try {
      return stacks.get(input.stack()) instanceof StackLookup.Found found
          ? Optional.of(read(found.resource()))
          : Optional.empty();
    } catch (SpecInvalid | KubernetesClientException e) {
      LOG.warn("{}: the Stack cannot be read: {}", input.operationId(), e.getMessage());
      return Optional.empty();
    }
  }

  private Stack read(GenericKubernetesResource resource) throws SpecInvalid {
    return input.deletion() ? reader.readForDeletion(resource) : reader.read(resource);
  }

  /** Why the Stack is no longer what was decided on; "" when it is. */
  private String changed(GenericKubernetesResource resource) {
    StackIdentity identity = StackReader.identity(resource);
    if (identity.generation() != input.generation()) {
      return "generation %d is there instead of %d"
          .formatted(identity.generation(), input.generation());
    }
    if (identity.deleting() != input.deletion()) {
      return identity.deleting() ? "the Stack is being deleted" : "the Stack is not being deleted";
    }
    return !identity.pause().isEmpty() && !identity.deleting() ? "the Stack has been paused" : "";
  }
}
