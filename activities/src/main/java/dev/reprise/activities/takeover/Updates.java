package dev.reprise.activities.takeover;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.stack.StackIdentity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Lets a Stack's Updates go; the outputs of its last up stay. */
final class Updates {
  private static final Logger LOG = LoggerFactory.getLogger(Updates.class);

  /** Two calls each; an activity that beats every 30 seconds has time for so many. */
  static final int AT_ONCE = 50;

  private final OperatorObjects objects;

  Updates(OperatorObjects objects) {
    this.objects = objects;
  }

  /** Those of this Stack, oldest first; one of another Stack of the same name is not. */
  static List<GenericKubernetesResource> of(StackRef stack, List<GenericKubernetesResource> all) {
    return all.stream()
        .filter(update -> belongs(update, stack))
        .sorted(
            Comparator.comparing(
                    (GenericKubernetesResource u) -> u.getMetadata().getCreationTimestamp())
                .thenComparing(u -> u.getMetadata().getName()))
        .toList();
  }

  private static boolean belongs(GenericKubernetesResource update, StackRef stack) {
    List<OwnerReference> stacks =
        update.getMetadata().getOwnerReferences().stream()
            .filter(owner -> StackObjects.KIND.equals(owner.getKind()))
            .toList();
    return stacks.isEmpty()
        ? OperatorObjects.text(update, "spec", "workspaceName").equals(stack.name())
        : stacks.stream().anyMatch(owner -> stack.uid().equals(owner.getUid()));
  }

  /**
   * Lets them go, the newest last, so that what is left after half of it still tells which one that
   * is.
   *
   * @param updates oldest first
   * @return how many are left for another time
   */
  int letGo(StackRef stack, List<GenericKubernetesResource> updates) {
    List<GenericKubernetesResource> going = updates.stream().filter(Updates::held).toList();
    if (going.isEmpty()) {
      return 0;
    }
    LOG.info("{}: letting go {} Updates of the Pulumi Kubernetes Operator", stack, going.size());
    for (GenericKubernetesResource update : updates.reversed()) {
      if (keepsOutputs(stack, update)) {
        break;
      }
    }
    going.stream().limit(AT_ONCE).forEach(this::letGo);
    return Math.max(0, going.size() - AT_ONCE);
  }

  /** One that is only held by others ends when they let go. */
  private static boolean held(GenericKubernetesResource update) {
    return !OperatorObjects.deleting(update)
        || update.getMetadata().getFinalizers().contains(StackIdentity.FINALIZER);
  }

  /** Whether it is the last up with outputs; they are the Stack's then. */
  private boolean keepsOutputs(StackRef stack, GenericKubernetesResource update) {
    String name = OperatorObjects.text(update, "status", "outputs");
    String type = OperatorObjects.text(update, "spec", "type");
    if (name.isEmpty() || !type.equals(OperationKind.UP.word())) {
      return false;
    }
    Resource<Secret> secrets =
        objects.client.secrets().inNamespace(stack.namespace()).withName(name);
    Optional<Secret> secret = StackObjects.find(secrets);
    secret
        .filter(found -> OperatorObjects.ownedBy(found, update.getMetadata().getUid()))
        .ifPresent(found -> OperatorObjects.patch(secrets, asOurs(stack, found)));
    return secret.isPresent();
  }

  private static ObjectNode asOurs(StackRef stack, Secret secret) {
    ObjectNode patch = OperatorObjects.patchOf(secret);
    ObjectNode metadata = patch.withObjectProperty("metadata");
    metadata.putObject("labels").put(ResultSecret.STACK_UID, stack.uid());
    metadata
        .putObject("annotations")
        .put(ResultSecret.OUTCOME, Outcome.SUCCEEDED.name())
        .put(ResultSecret.KIND, OperationKind.UP.word());
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", StackObjects.API_VERSION)
        .put("kind", StackObjects.KIND)
        .put("name", stack.name())
        .put("uid", stack.uid());
    return patch;
  }

  private void letGo(GenericKubernetesResource update) {
    List<String> finalizers = update.getMetadata().getFinalizers();
    if (finalizers.contains(StackIdentity.FINALIZER)) {
      ObjectNode patch = OperatorObjects.patchOf(update);
      ArrayNode others = patch.withObjectProperty("metadata").putArray("finalizers");
      finalizers.stream().filter(f -> !f.equals(StackIdentity.FINALIZER)).forEach(others::add);
      OperatorObjects.patch(objects.update(update), patch);
    }
    if (!OperatorObjects.deleting(update)) {
      objects.update(update).delete();
    }
  }
}
