package dev.reprise.activities.report;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.stack.status.StatusJson;
import dev.reprise.stack.status.StatusReader;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Applies a whole status under the Pulumi Kubernetes Operator's field manager, so that taking over
 * from it, or giving back to it, leaves no field of the other behind: an apply under another name
 * left its Stalled condition standing beside our Ready.
 */
final class StatusWriter {
  private static final String FIELD_MANAGER = "pulumi-kubernetes-operator/stack-status";

  /** What a server says to an apply with a field that the CustomResourceDefinition lacks. */
  private static final String UNDECLARED = "field not declared in schema";

  /** The definition may be replaced by ours at any time; one more failed apply finds out. */
  private static final Duration REMEMBERED = Duration.ofMinutes(5);

  private static final JsonMapper JSON = JsonMapper.shared();

  private final KubernetesClient client;
  private final StackObjects stacks;
  private final InstantSource clock;
  private volatile Instant undeclaredUntil = Instant.MIN;

  StatusWriter(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.stacks = new StackObjects(client);
    this.clock = clock;
  }

  void write(StackRef stack, StackStatus status) {
    if (clock.instant().isBefore(undeclaredUntil)) {
      writeApart(stack, status);
      return;
    }
    try {
      apply(stack, status);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_INTERNAL_ERROR
          || !String.valueOf(e.getMessage()).contains(UNDECLARED)) {
        throw e;
      }
      undeclaredUntil = clock.instant().plus(REMEMBERED);
      writeApart(stack, status);
    }
  }

  /** With a definition that has no place for our record, it goes into an annotation. */
  private void writeApart(StackRef stack, StackStatus status) {
    apply(stack, status.withRetry(RetryStatus.NONE));
    var patch = JSON.createObjectNode();
    patch
        .putObject("metadata")
        .put("uid", stack.uid())
        .putObject("annotations")
        .put(StatusReader.RETRY_STATE, StatusJson.toAnnotation(status.retry()));
    stacks.named(stack).patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
  }

  private void apply(StackRef stack, StackStatus status) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(StackObjects.API_VERSION);
    object.setKind(StackObjects.KIND);
    object.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(stack.namespace())
            .withName(stack.name())
            .withUid(stack.uid())
            .build());
    JsonNode json = StatusJson.toJson(status);
    object.setAdditionalProperty("status", JSON.treeToValue(json, Object.class));
    client
        .genericKubernetesResources(StackObjects.STACKS)
        .inNamespace(stack.namespace())
        .resource(object)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(FIELD_MANAGER)
                .withForce(true)
                .build());
  }
}
