package dev.reprise.cli;

import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.query.v1.WorkflowQuery;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryResponse;
import io.temporal.api.workflowservice.v1.QueryWorkflowRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything that Stacks leave in Temporal and in the cluster, as text to be searched. */
final class Traces {
  private static final List<String> QUERIES =
      List.of("status", "__temporal_workflow_metadata", "__stack_trace");

  private final Cluster cluster;
  private final WorkflowServiceBlockingStub temporal;
  private final String namespace;

  Traces(Cluster cluster) {
    this.cluster = cluster;
    this.temporal = cluster.temporal().client().getWorkflowServiceStubs().blockingStub();
    this.namespace = cluster.temporal().client().getOptions().getNamespace();
  }

  /** Every event of every run of a Stack, the newest run first. */
  String history(StackRef stack) {
    StringBuilder all = new StringBuilder();
    String run = "";
    do {
      List<HistoryEvent> events = events(execution(stack).setRunId(run).build());
      events.forEach(event -> all.append(text(event.toByteArray())).append('\n'));
      run =
          events
              .getFirst()
              .getWorkflowExecutionStartedEventAttributes()
              .getContinuedExecutionRunId();
    } while (!run.isEmpty());
    return all.toString();
  }

  private List<HistoryEvent> events(WorkflowExecution run) {
    List<HistoryEvent> events = new ArrayList<>();
    GetWorkflowExecutionHistoryRequest request =
        GetWorkflowExecutionHistoryRequest.newBuilder()
            .setNamespace(namespace)
            .setExecution(run)
            .build();
    GetWorkflowExecutionHistoryResponse page = temporal.getWorkflowExecutionHistory(request);
    events.addAll(page.getHistory().getEventsList());
    while (!page.getNextPageToken().isEmpty()) {
      page =
          temporal.getWorkflowExecutionHistory(
              request.toBuilder().setNextPageToken(page.getNextPageToken()).build());
      events.addAll(page.getHistory().getEventsList());
    }
    return events;
  }

  /** What Temporal tells of a Stack's newest run, heartbeats and answers to queries included. */
  String description(StackRef stack) {
    StringBuilder all = new StringBuilder();
    DescribeWorkflowExecutionRequest describe =
        DescribeWorkflowExecutionRequest.newBuilder()
            .setNamespace(namespace)
            .setExecution(execution(stack))
            .build();
    all.append(text(temporal.describeWorkflowExecution(describe).toByteArray())).append('\n');
    for (String query : QUERIES) {
      QueryWorkflowRequest request =
          QueryWorkflowRequest.newBuilder()
              .setNamespace(namespace)
              .setExecution(execution(stack))
              .setQuery(WorkflowQuery.newBuilder().setQueryType(query))
              .build();
      all.append(text(temporal.queryWorkflow(request).toByteArray())).append('\n');
    }
    return all.toString();
  }

  private static WorkflowExecution.Builder execution(StackRef stack) {
    return WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.of(stack));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /**
   * The Stacks without what their users wrote.
   *
   * @param annotation the user's annotation
   */
  String stacks(String annotation) {
    StringBuilder all = new StringBuilder();
    for (GenericKubernetesResource stack :
        cluster
            .kubernetes()
            .genericKubernetesResources("pulumi.com/v1", "Stack")
            .inAnyNamespace()
            .list()
            .getItems()) {
      Map<String, Object> rest = new TreeMap<>(stack.getAdditionalProperties());
      rest.remove("spec");
      stack.getMetadata().getAnnotations().remove(annotation);
      all.append(Serialization.asJson(stack.getMetadata())).append('\n');
      all.append(Serialization.asJson(rest)).append('\n');
    }
    return all.toString();
  }

  String events() {
    return Serialization.asJson(cluster.kubernetes().v1().events().inAnyNamespace().list());
  }

  /** The Secrets that hold results. */
  String results() {
    return Serialization.asJson(
        cluster.kubernetes().secrets().inAnyNamespace().withLabel(ResultSecret.STACK_UID).list());
  }

  /** The names of the Secrets that hold no results. */
  List<String> otherSecrets() {
    return cluster
        .kubernetes()
        .secrets()
        .inAnyNamespace()
        .withoutLabel(ResultSecret.STACK_UID)
        .list()
        .getItems()
        .stream()
        .map(Secret::getMetadata)
        .map(metadata -> metadata.getName())
        .toList();
  }
}
