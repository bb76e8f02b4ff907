package dev.reprise.activities.takeover;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The calls to the API server for objects of the Pulumi Kubernetes Operator. */
final class OperatorObjects {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorObjects.class);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final ResourceDefinitionContext WORKSPACES = context("Workspace", "workspaces");
  private static final ResourceDefinitionContext UPDATES = context("Update", "updates");

  final KubernetesClient client;

  OperatorObjects(KubernetesClient client) {
    this.client = client;
  }

  /**
   * What there is under a Stack's name and in its namespace, whoever it belongs to.
   *
   * @param readable whether there can be anything: the definitions exist, and may be read
   * @param workspaces none or one
   */
  record Found(
      boolean readable,
      List<GenericKubernetesResource> workspaces,
      List<GenericKubernetesResource> updates) {}

  private static ResourceDefinitionContext context(String kind, String plural) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("auto.pulumi.com")
        .withVersion("v1alpha1")
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }

  Found find(StackRef stack) {
    try {
      List<GenericKubernetesResource> workspaces =
          StackObjects.find(workspaces(stack)).stream().toList();
      Optional<List<GenericKubernetesResource>> updates = updates(stack);
      return new Found(
          updates.isPresent() || !workspaces.isEmpty(), workspaces, updates.orElse(List.of()));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        LOG.warn(
            "{}: what the Pulumi Kubernetes Operator left cannot be looked for: grant get, list,"
                + " patch and delete on workspaces and updates in auto.pulumi.com",
            stack);
        return new Found(false, List.of(), List.of());
      }
      throw e;
    }
  }

  /** Empty where they are not defined. */
  private Optional<List<GenericKubernetesResource>> updates(StackRef stack) {
    try {
      return Optional.of(
          client
              .genericKubernetesResources(UPDATES)
              .inNamespace(stack.namespace())
              .list()
              .getItems());
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * A patch of metadata that only changes this very version of an object, so that nobody else's
   * change is lost: else the server answers 409.
   */
  static ObjectNode patchOf(HasMetadata object) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("metadata")
        .put("uid", object.getMetadata().getUid())
        .put("resourceVersion", object.getMetadata().getResourceVersion());
    return patch;
  }

  static void patch(Resource<?> resource, ObjectNode patch) {
    resource.patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
  }

  Resource<GenericKubernetesResource> update(GenericKubernetesResource update) {
    return client
        .genericKubernetesResources(UPDATES)
        .inNamespace(update.getMetadata().getNamespace())
        .withName(update.getMetadata().getName());
  }

  Resource<GenericKubernetesResource> workspaces(StackRef stack) {
    return client
        .genericKubernetesResources(WORKSPACES)
        .inNamespace(stack.namespace())
        .withName(stack.name());
  }

  /** Deletes the Workspace and nothing else. Whether it is still there. */
  boolean deleteWorkspace(StackRef stack, GenericKubernetesResource workspace) {
    if (!deleting(workspace)) {
      LOG.info("{}: deleting the Workspace of the Pulumi Kubernetes Operator", stack);
      workspaces(stack).withPropagationPolicy(DeletionPropagation.ORPHAN).delete();
    }
    String uid = workspace.getMetadata().getUid();
    return StackObjects.find(workspaces(stack))
        .filter(w -> uid.equals(w.getMetadata().getUid()))
        .isPresent();
  }

  static boolean deleting(HasMetadata object) {
    return object.getMetadata().getDeletionTimestamp() != null;
  }

  static boolean ownedBy(HasMetadata object, String uid) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> uid.equals(owner.getUid()));
  }

  /** A text of an object; "" where there is none. */
  static String text(GenericKubernetesResource object, Object... path) {
    Object value = object.<Object>get(path);
    return value instanceof String text ? text : "";
  }
}
