package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.Map;

/** An API server in which the test plays the StatefulSet controller and the kubelet. */
final class PodCluster implements AutoCloseable {
  final Cluster cluster = Cluster.start();
  private int events;

  /** The controller acts on the StatefulSet: there is a pod of its template, new if need be. */
  void reconcile(StackRef stack) {
    StatefulSet set = set(stack);
    String revision = revision(set);
    if (pod(stack) == null) {
      PodTemplateSpec template = set.getSpec().getTemplate();
      cluster
          .client
          .resource(
              new PodBuilder()
                  .withNewMetadataLike(template.getMetadata())
                  .withNamespace(stack.namespace())
                  .withName(Names.pod(stack.name()))
                  .addToLabels(Names.POD_REVISION, revision)
                  .endMetadata()
                  .withSpec(template.getSpec())
                  .build())
          .create();
    }
    status(
        sets(stack),
        "{observedGeneration: %d, updateRevision: %s, availableReplicas: 0}"
            .formatted(set.getMetadata().getGeneration(), revision));
  }

  /** The kubelet has started the pod's container. */
  void run(StackRef stack) {
    status(
        pods(stack),
        "{phase: Running, conditions: [], initContainerStatuses: [],"
            + " containerStatuses: [{name: pulumi, state: {running: {startedAt: '2026-12-01T00:00:00Z'}}}]}");
  }

  /** Everything went well. */
  void makeReady(StackRef stack) {
    reconcile(stack);
    run(stack);
    status(
        sets(stack), "{availableReplicas: 1, currentRevision: %s}".formatted(revision(set(stack))));
  }

  /** The kubelet tells something else of the pod, in YAML. */
  void podStatus(StackRef stack, String yaml) {
    status(pods(stack), yaml);
  }

  void setStatus(StackRef stack, String yaml) {
    status(sets(stack), yaml);
  }

  /** The controller could not make the pod. */
  void failedCreate(StackRef stack, String message, Instant time) {
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(stack.namespace())
            .withName("failed-" + events++)
            .endMetadata()
            .withNewInvolvedObject()
            .withKind("StatefulSet")
            .withName(Names.object(stack.name()))
            .withUid(set(stack).getMetadata().getUid())
            .endInvolvedObject()
            .withReason("FailedCreate")
            .withMessage(message)
            .withLastTimestamp(time.toString())
            .build();
    cluster.client.resource(event).create();
  }

  void deletePod(StackRef stack) {
    pods(stack).delete();
  }

  StatefulSet set(StackRef stack) {
    return sets(stack).get();
  }

  Pod pod(StackRef stack) {
    return pods(stack).get();
  }

  Resource<StatefulSet> sets(StackRef stack) {
    return cluster
        .client
        .apps()
        .statefulSets()
        .inNamespace(stack.namespace())
        .withName(Names.object(stack.name()));
  }

  Resource<io.fabric8.kubernetes.api.model.Service> services(StackRef stack) {
    return cluster
        .client
        .services()
        .inNamespace(stack.namespace())
        .withName(Names.object(stack.name()));
  }

  Resource<Pod> pods(StackRef stack) {
    return cluster.client.pods().inNamespace(stack.namespace()).withName(Names.pod(stack.name()));
  }

  /** As of the template, so that it changes with it and with nothing else. */
  private static String revision(StatefulSet set) {
    Map<String, String> marks = set.getSpec().getTemplate().getMetadata().getAnnotations();
    String digest = marks.getOrDefault(Names.INPUTS_DIGEST, "");
    return "rev-"
        + marks.get(Names.REVISION_HASH)
        + digest.substring(Math.max(0, digest.length() - 8));
  }

  private static void status(Resource<?> object, String yaml) {
    object
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\":" + Given.yaml(yaml).toString() + "}");
  }

  @Override
  public void close() {
    cluster.close();
  }
}
