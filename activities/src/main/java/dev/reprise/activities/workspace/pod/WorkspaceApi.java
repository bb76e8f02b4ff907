package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The calls to the API server for the objects of workspaces. Each has the client's limit. */
final class WorkspaceApi {
  static final String FIELD_MANAGER = Names.FIELD_MANAGER;

  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceApi.class);
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Templates go to the server as they were merged, whatever this client's own types know. */
  private static final ResourceDefinitionContext SETS = context("apps", "StatefulSet");

  private static final ResourceDefinitionContext SERVICES = context("", "Service");
  private static final ResourceDefinitionContext CONFIG_MAPS = context("", "ConfigMap");

  private final KubernetesClient client;

  WorkspaceApi(KubernetesClient client) {
    this.client = client;
  }

  private static ResourceDefinitionContext context(String group, String kind) {
    return new ResourceDefinitionContext.Builder()
        .withGroup(group)
        .withVersion("v1")
        .withKind(kind)
        .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
        .withNamespaced(true)
        .build();
  }

  SetState set(StackRef stack) {
    return StackObjects.find(sets(stack)).map(SetState::of).orElse(SetState.NONE);
  }

  PodState pod(StackRef stack) {
    return StackObjects.find(pods(stack)).map(PodState::of).orElse(PodState.NONE);
  }

  /** Whether the Stack's Service is there and its own. */
  boolean hasService(StackRef stack) {
    return StackObjects.find(services(stack))
        .map(service -> service.getMetadata().getLabels())
        .filter(labels -> stack.uid().equals(labels.get(Names.STACK_UID)))
        .isPresent();
  }

  void applyService(StackRef stack, ObjectNode service) {
    apply(SERVICES, stack, service);
  }

  void applyConfigMap(StackRef stack, ObjectNode configMap) {
    apply(CONFIG_MAPS, stack, configMap);
  }

  void applySet(StackRef stack, ObjectNode set) {
    apply(SETS, stack, set);
  }

  private void apply(ResourceDefinitionContext kind, StackRef stack, ObjectNode object) {
    LOG.info("applying {} of workspace {}", kind.getKind(), stack);
    resource(kind, stack, object)
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(FIELD_MANAGER)
                .withForce(true)
                .build());
  }

  /**
   * Lets the server check a StatefulSet as a new one, without making it.
   *
   * @throws KubernetesClientException with what is wrong with it
   */
  void tryCreating(StackRef stack, ObjectNode set) {
    ObjectNode other = set.deepCopy();
    other.withObjectProperty("metadata").put("name", Names.object(stack.name()) + "-check");
    resource(SETS, stack, other).dryRun().create();
  }

  private Resource<GenericKubernetesResource> resource(
      ResourceDefinitionContext kind, StackRef stack, JsonNode object) {
    return client
        .genericKubernetesResources(kind)
        .inNamespace(stack.namespace())
        .resource(JSON.treeToValue(object, GenericKubernetesResource.class));
  }

  /** Marks this very pod, not one that took its name meanwhile. */
  void markPrepared(StackRef stack, String podUid) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("metadata")
        .put("uid", podUid)
        .putObject("annotations")
        .put(Names.INITIALIZED, "true");
    pods(stack).patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
  }

  /** Without waiting for its end; its StatefulSet makes another. */
  void deletePod(StackRef stack, String podUid) {
    LOG.info("deleting the pod of workspace {} ({})", stack, podUid);
    StackObjects.find(pods(stack))
        .filter(pod -> podUid.equals(pod.getMetadata().getUid()))
        .ifPresent(pod -> client.pods().resource(pod).delete());
  }

  /** With its pod; without waiting for the end of either. */
  void deleteSet(StackRef stack) {
    LOG.info("deleting StatefulSet {} of {}", Names.object(stack.name()), stack);
    sets(stack).withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
  }

  void deleteService(StackRef stack) {
    services(stack).delete();
  }

  /** Of this very Stack, not of another one of its name. */
  void deleteProgram(StackRef stack) {
    client
        .configMaps()
        .inNamespace(stack.namespace())
        .withLabel(Names.WORKSPACE_NAME, stack.name())
        .withLabel(Names.STACK_UID, stack.uid())
        .delete();
  }

  void scaleDown(StackRef stack) {
    sets(stack).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":0}}");
  }

  /** Whose workspaces there are; those that are not marked are not ours. */
  List<StackRef> all() {
    return client
        .apps()
        .statefulSets()
        .inAnyNamespace()
        .withLabel(Names.COMPONENT, Names.WORKSPACE)
        .withLabel(Names.STACK_UID)
        .list()
        .getItems()
        .stream()
        .map(StatefulSet::getMetadata)
        .map(
            meta ->
                new StackRef(
                    meta.getNamespace(),
                    Objects.toString(meta.getLabels().get(Names.WORKSPACE_NAME), ""),
                    Objects.toString(meta.getLabels().get(Names.STACK_UID), "")))
        .toList();
  }

  /**
   * Why the StatefulSet's controller could not make the pod, as its last event since the last
   * change tells it.
   */
  Failure whyNoPod(StackRef stack, SetState set) {
    try {
      return client
          .v1()
          .events()
          .inNamespace(stack.namespace())
          .withField("involvedObject.uid", set.uid())
          .withField("reason", "FailedCreate")
          .list()
          .getItems()
          .stream()
          .filter(event -> set.uid().equals(event.getInvolvedObject().getUid()))
          .filter(event -> "FailedCreate".equals(event.getReason()))
          .filter(event -> !time(event).isBefore(set.appliedAt()))
          .max(Comparator.comparing(WorkspaceApi::time))
          .map(event -> new Failure(time(event), Objects.toString(event.getMessage(), "")))
          .orElse(Failure.NONE);
    } catch (KubernetesClientException e) {
      // Events only explain; a role without them still runs Stacks.
      LOG.debug("events of {} cannot be read: {}", stack, e.getMessage());
      return Failure.NONE;
    }
  }

  /**
   * A pod that could not be made.
   *
   * @param time when it was tried last
   * @param message why; "" = nothing is known
   */
  record Failure(Instant time, String message) {
    static final Failure NONE = new Failure(Instant.EPOCH, "");
  }

  /**
   * Makes the StatefulSet's controller look again at once: after some failures it waits for up to a
   * quarter of an hour by itself.
   */
  void nudge(StackRef stack, Instant attempt) {
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put(Names.TRIED, attempt.truncatedTo(ChronoUnit.MILLIS).toString());
    sets(stack).patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
  }

  private static Instant time(Event event) {
    String last = event.getLastTimestamp();
    String only =
        event.getEventTime() == null ? "" : Objects.toString(event.getEventTime().getTime(), "");
    String known = last == null ? only : last;
    return known.isEmpty() ? Instant.EPOCH : Instant.parse(known);
  }

  private Resource<Pod> pods(StackRef stack) {
    return client.pods().inNamespace(stack.namespace()).withName(Names.pod(stack.name()));
  }

  private Resource<StatefulSet> sets(StackRef stack) {
    return client
        .apps()
        .statefulSets()
        .inNamespace(stack.namespace())
        .withName(Names.object(stack.name()));
  }

  private Resource<Service> services(StackRef stack) {
    return client.services().inNamespace(stack.namespace()).withName(Names.object(stack.name()));
  }
}
