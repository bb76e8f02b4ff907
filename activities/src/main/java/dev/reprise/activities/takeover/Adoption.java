package dev.reprise.activities.takeover;

import static dev.reprise.activities.kube.StackObjects.find;
import static dev.reprise.activities.takeover.OperatorObjects.ownedBy;

import dev.reprise.activities.workspace.pod.Names;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the objects of a workspace Reprise's without making them anew: its mark instead of the
 * owner. The pod comes first and the StatefulSet last, so that an adoption that was broken off is
 * found as such.
 */
final class Adoption {
  private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String OPERATOR = "pulumi-kubernetes-operator";

  private final KubernetesClient client;

  Adoption(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Adopts what belongs to this Workspace and nothing else.
   *
   * @param workspace uid of a Workspace of this Stack
   */
  void adopt(StackRef stack, String workspace) {
    Resource<StatefulSet> sets =
        client
            .apps()
            .statefulSets()
            .inNamespace(stack.namespace())
            .withName(Names.object(stack.name()));
    find(sets)
        .filter(set -> ownedBy(set, workspace))
        .ifPresent(set -> adoptPod(stack, set.getMetadata().getUid()));
    adopt(
        client.services().inNamespace(stack.namespace()).withName(Names.object(stack.name())),
        Service.class,
        stack,
        workspace);
    adopt(sets, StatefulSet.class, stack, workspace);
  }

  /** Its agent may run an operation; by the mark it is known whose. */
  private void adoptPod(StackRef stack, String set) {
    Resource<Pod> pods =
        client.pods().inNamespace(stack.namespace()).withName(Names.pod(stack.name()));
    find(pods)
        .filter(pod -> ownedBy(pod, set) && !marked(pod, stack))
        .ifPresent(
            pod -> {
              ObjectNode patch = OperatorObjects.patchOf(pod);
              mark(patch, stack);
              OperatorObjects.patch(pods, patch);
            });
  }

  private <T extends HasMetadata> void adopt(
      Resource<T> resource, Class<T> kind, StackRef stack, String workspace) {
    find(resource)
        .filter(object -> ownedBy(object, workspace) && !OperatorObjects.deleting(object))
        .ifPresent(
            object -> {
              LOG.info("{}: adopting its {}", stack, kind.getSimpleName());
              ObjectNode patch = OperatorObjects.patchOf(object);
              mark(patch, stack);
              ObjectNode metadata = patch.withObjectProperty("metadata");
              metadata.set("ownerReferences", otherOwners(object, workspace));
              JsonNode managers = tree(object.getMetadata().getManagedFields());
              if (managers.valueStream().anyMatch(Adoption::theirs)) {
                metadata.set("managedFields", managedByUs(managers));
              }
              OperatorObjects.patch(resource, patch);
            });
  }

  private static boolean marked(HasMetadata object, StackRef stack) {
    Map<String, String> labels = object.getMetadata().getLabels();
    return labels != null && stack.uid().equals(labels.get(Names.STACK_UID));
  }

  private static void mark(ObjectNode patch, StackRef stack) {
    patch.withObjectProperty("metadata").putObject("labels").put(Names.STACK_UID, stack.uid());
  }

  private JsonNode otherOwners(HasMetadata object, String workspace) {
    List<OwnerReference> others =
        object.getMetadata().getOwnerReferences().stream()
            .filter(owner -> !workspace.equals(owner.getUid()))
            .toList();
    return tree(others);
  }

  /**
   * What that operator has set becomes ours to remove: a field that another manager still holds
   * outlives an apply that leaves it out, an old variable with a secret for example.
   */
  private static ArrayNode managedByUs(JsonNode entries) {
    ArrayNode next = JSON.createArrayNode();
    for (JsonNode entry : entries) {
      if (theirs(entry) && entry instanceof ObjectNode their) {
        next.add(their.put("manager", Names.FIELD_MANAGER));
      } else if (!applied(entry, Names.FIELD_MANAGER)) {
        next.add(entry);
      }
    }
    return next;
  }

  private static boolean theirs(JsonNode entry) {
    return applied(entry, OPERATOR);
  }

  private static boolean applied(JsonNode entry, String manager) {
    return entry.path("manager").asString("").equals(manager)
        && entry.path("operation").asString("").equals("Apply")
        && entry.path("subresource").asString("").isEmpty();
  }

  private JsonNode tree(Object value) {
    return JSON.readTree(client.getKubernetesSerialization().asJson(value));
  }
}
