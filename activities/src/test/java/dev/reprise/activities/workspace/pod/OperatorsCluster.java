package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the Pulumi Kubernetes Operator makes for Stacks, with its definitions. */
final class OperatorsCluster {
  static final String FINALIZER = "finalizer.stack.pulumi.com";

  private final PodCluster pods;
  private final Cluster cluster;

  OperatorsCluster(PodCluster pods) {
    this.pods = pods;
    this.cluster = pods.cluster;
  }

  void define() {
    define("Workspace", "workspaces");
    define("Update", "updates");
  }

  private void define(String kind, String plural) {
    cluster
        .client
        .resource(
            new CustomResourceDefinitionBuilder()
                .withNewMetadata()
                .withName(plural + ".auto.pulumi.com")
                .endMetadata()
                .withNewSpec()
                .withGroup("auto.pulumi.com")
                .withScope("Namespaced")
                .withNewNames()
                .withKind(kind)
                .withPlural(plural)
                .endNames()
                .addNewVersion()
                .withName("v1alpha1")
                .withServed(true)
                .withStorage(true)
                .withNewSchema()
                .withNewOpenAPIV3Schema()
                .withType("object")
                .withXKubernetesPreserveUnknownFields(true)
                .endOpenAPIV3Schema()
                .endSchema()
                .endVersion()
                .endSpec()
                .build())
        .create();
  }

  /** A Workspace of a Stack's, and the objects made for it, with a running, prepared pod. */
  GenericKubernetesResource workspace(StackRef stack, String ownerUid) throws SpecInvalid {
    GenericKubernetesResource workspace =
        create("Workspace", stack.name(), List.of(owner("Stack", stack.name(), ownerUid)), "{}");
    String uid = workspace.getMetadata().getUid();
    ObjectNode set = Given.git("").statefulSet().deepCopy();
    asTheirs(set, stack, uid);
    ObjectNode template = set.withObjectProperty("spec").withObjectProperty("template");
    template.withObjectProperty("metadata").withObjectProperty("labels").remove(Names.STACK_UID);
    template
        .withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .removeAll()
        .put(Names.REVISION_HASH, "md5");
    Given.container(template.path("spec"), Names.CONTAINER)
        .withArrayProperty("env")
        .addObject()
        .put("name", "OF_BEFORE")
        .put("value", "x");
    apply("apps", "StatefulSet", "statefulsets", stack, set);
    ObjectNode service = Given.git("").service().deepCopy();
    asTheirs(service, stack, uid);
    apply("", "Service", "services", stack, service);
    pods.makeReady(stack);
    String pod =
        "{\"metadata\":{\"annotations\":{\"%s\":\"true\"},\"ownerReferences\":[%s]}}"
            .formatted(
                Names.INITIALIZED,
                cluster
                    .client
                    .getKubernetesSerialization()
                    .asJson(
                        owner(
                            "StatefulSet",
                            Names.object(stack.name()),
                            pods.set(stack).getMetadata().getUid())));
    pods.pods(stack).patch(PatchContext.of(PatchType.JSON_MERGE), pod);
    return workspace;
  }

  private static void asTheirs(ObjectNode object, StackRef stack, String workspaceUid) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    metadata.put("namespace", stack.namespace()).put("name", Names.object(stack.name()));
    metadata.withObjectProperty("labels").remove(Names.STACK_UID);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "auto.pulumi.com/v1alpha1")
        .put("kind", "Workspace")
        .put("name", stack.name())
        .put("uid", workspaceUid)
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }

  private void apply(String group, String kind, String plural, StackRef stack, ObjectNode object) {
    cluster
        .client
        .genericKubernetesResources(context(group, "v1", kind, plural))
        .inNamespace(stack.namespace())
        .resource(JsonMapper.shared().treeToValue(object, GenericKubernetesResource.class))
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("pulumi-kubernetes-operator")
                .withForce(true)
                .build());
  }

  /** An up with this status, in JSON, and a Secret with its outputs if that names one. */
  GenericKubernetesResource update(
      StackRef stack, GenericKubernetesResource workspace, String name, boolean outputs) {
    String status =
        outputs
            ? "{\"outputs\":\"%s-stack-outputs\",\"conditions\":[{\"type\":\"Complete\",\"status\":\"True\"}]}"
                .formatted(name)
            : "{}";
    GenericKubernetesResource update =
        create(
            "Update",
            name,
            List.of(
                owner("Workspace", stack.name(), workspace.getMetadata().getUid()),
                owner("Stack", stack.name(), stack.uid())),
            "{\"spec\":{\"workspaceName\":\"%s\",\"type\":\"up\"},\"status\":%s}"
                .formatted(stack.name(), status));
    if (outputs) {
      cluster
          .client
          .resource(
              new SecretBuilder()
                  .withNewMetadata()
                  .withNamespace(stack.namespace())
                  .withName(name + "-stack-outputs")
                  .addToLabels("auto.pulumi.com/component", "update")
                  .addToLabels("auto.pulumi.com/update-name", name)
                  .addToAnnotations("pulumi.com/secrets", "[]")
                  .withOwnerReferences(owner("Update", name, update.getMetadata().getUid()))
                  .endMetadata()
                  .withStringData(Map.of("url", "\"https://" + name + "\""))
                  .withImmutable(true)
                  .build())
          .create();
    }
    return update;
  }

  private GenericKubernetesResource create(
      String kind, String name, List<OwnerReference> owners, String more) {
    GenericKubernetesResource object =
        JsonMapper.shared().readValue(more, GenericKubernetesResource.class);
    object.setApiVersion("auto.pulumi.com/v1alpha1");
    object.setKind(kind);
    object.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(Cluster.NAMESPACE)
            .withName(name)
            .withOwnerReferences(owners)
            .withFinalizers(kind.equals("Update") ? List.of(FINALIZER) : List.of())
            .build());
    return cluster.client.resource(object).create();
  }

  private static OwnerReference owner(String kind, String name, String uid) {
    return new OwnerReferenceBuilder()
        .withApiVersion(
            switch (kind) {
              case "Stack" -> "pulumi.com/v1";
              case "StatefulSet" -> "apps/v1";
              default -> "auto.pulumi.com/v1alpha1";
            })
        .withKind(kind)
        .withName(name)
        .withUid(uid)
        .withController(!kind.equals("Stack"))
        .withBlockOwnerDeletion(true)
        .build();
  }

  @Nullable GenericKubernetesResource workspace(String name) {
    return cluster
        .client
        .genericKubernetesResources(
            context("auto.pulumi.com", "v1alpha1", "Workspace", "workspaces"))
        .inNamespace(Cluster.NAMESPACE)
        .withName(name)
        .get();
  }

  void holdWorkspace(String name) {
    cluster
        .client
        .genericKubernetesResources(
            context("auto.pulumi.com", "v1alpha1", "Workspace", "workspaces"))
        .inNamespace(Cluster.NAMESPACE)
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"finalizers\":[\"example.com/theirs\"]}}");
  }

  List<String> updates() {
    return cluster
        .client
        .genericKubernetesResources(context("auto.pulumi.com", "v1alpha1", "Update", "updates"))
        .inNamespace(Cluster.NAMESPACE)
        .list()
        .getItems()
        .stream()
        .map(update -> update.getMetadata().getName())
        .toList();
  }

  private static ResourceDefinitionContext context(
      String group, String version, String kind, String plural) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion(version)
        .withKind(kind)
        .withPlural(plural)
        .withNamespaced(true)
        .build();
  }
}
