package dev.reprise.cli;

import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.common.converter.DefaultDataConverter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What the cluster and the Temporal service of a running {@code reprise dev} hold. */
final class Cluster implements AutoCloseable {
  private final KubernetesClient kubernetes;
  private final TemporalConnection temporal;

  private Cluster(DevInstance instance) {
    kubernetes =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(Path.of(instance.kubeconfig()).toFile()))
            .build();
    temporal = TemporalConnection.to(instance.temporal(), Map.of());
  }

  static Cluster of(Sandbox sandbox) {
    return new Cluster(
        DevInstance.running(sandbox.folder().resolve(DevInstance.DEFAULT_STATE)).orElseThrow());
  }

  KubernetesClient kubernetes() {
    return kubernetes;
  }

  TemporalConnection temporal() {
    return temporal;
  }

  StackRow row(String stack) {
    return new StackList(kubernetes).find("default", stack).map(StackRow::of).orElseThrow();
  }

  LastUpdate lastUpdate(String stack) {
    return new StackList(kubernetes)
        .find("default", stack)
        .map(resource -> StackReader.status(resource).lastUpdate())
        .orElseThrow();
  }

  /** Why a dependent asked the Stack to run again; "" when none did. */
  String reconcileReason(String stack) {
    return new StackList(kubernetes)
        .find("default", stack)
        .map(StackReader::reconcileReason)
        .orElseThrow();
  }

  /** How many results are recorded. */
  int results(String stack) {
    return kubernetes
        .secrets()
        .inNamespace("default")
        .withLabel(ResultSecret.STACK_UID, ref(stack).uid())
        .list()
        .getItems()
        .size();
  }

  /** How many events of the pending operation Temporal was told of last; 0 when none is pending. */
  long eventsOfOperation(String stack) {
    DescribeWorkflowExecutionRequest request =
        DescribeWorkflowExecutionRequest.newBuilder()
            .setNamespace(temporal.client().getOptions().getNamespace())
            .setExecution(WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.of(ref(stack))))
            .build();
    Optional<PendingActivityInfo> operation =
        temporal
            .client()
            .getWorkflowServiceStubs()
            .blockingStub()
            .describeWorkflowExecution(request)
            .getPendingActivitiesList()
            .stream()
            .filter(activity -> activity.getActivityType().getName().equals("RunOperation"))
            .filter(activity -> activity.getHeartbeatDetails().getPayloadsCount() > 0)
            .findFirst();
    return operation
        .map(
            activity ->
                DefaultDataConverter.STANDARD_INSTANCE.fromPayload(
                    activity.getHeartbeatDetails().getPayloads(0), Progress.class, Progress.class))
        .map(Progress::events)
        .orElse(0L);
  }

  private StackRef ref(String stack) {
    return new StackList(kubernetes)
        .refs().stream().filter(ref -> ref.name().equals(stack)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    temporal.close();
    kubernetes.close();
  }
}
