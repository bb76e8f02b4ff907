package dev.reprise.cli;

import dev.reprise.watcher.WorkflowStarter;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.SignalWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowTargetOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the open run of a Stack by one that knows no history, only the Stack's status. A reset
 * would replay the same history into the same failure.
 */
final class Replacement {
  private static final Duration CALL_LIMIT = Duration.ofSeconds(30);

  private static final String HOLD = "hold";

  /**
   * What a person said and a new run does not learn from the Stack; the last hold is told first.
   */
  private static final Set<String> TOLD_AGAIN = Set.of("retryNow", "cancelOperation");

  private final WorkflowClient client;
  private final String cluster;
  private final StackRef stack;

  Replacement(WorkflowClient client, String cluster, StackRef stack) {
    this.client = client;
    this.cluster = cluster;
    this.stack = stack;
  }

  /** How the open run fares; empty when none is open. */
  Optional<RunHealth> examine() {
    DescribeWorkflowExecutionResponse run;
    try {
      run =
          client
              .getWorkflowServiceStubs()
              .blockingStub()
              .describeWorkflowExecution(
                  DescribeWorkflowExecutionRequest.newBuilder()
                      .setNamespace(client.getOptions().getNamespace())
                      .setExecution(
                          WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.of(stack)))
                      .build());
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw new UserProblem("Temporal does not answer: " + e.getStatus(), e);
    }
    if (run.getWorkflowExecutionInfo().getStatus()
        != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
      return Optional.empty();
    }
    String runId = run.getWorkflowExecutionInfo().getExecution().getRunId();
    return Optional.of(RunHealth.of(run, history(runId)));
  }

  private List<HistoryEvent> history(String runId) {
    return client.fetchHistory(WorkflowIds.of(stack), runId).getEvents();
  }

  /**
   * Terminates this run and no other.
   *
   * @param reason for the record
   */
  void terminate(RunHealth run, String reason) {
    client
        .newUntypedWorkflowStub(
            WorkflowTargetOptions.newBuilder()
                .setWorkflowId(WorkflowIds.of(stack))
                .setRunId(run.runId())
                .build())
        .terminate(reason);
  }

  /** Starts a run. */
  void start() {
    starter().wake(stack, "repaired by a person");
  }

  /**
   * Starts a run and tells it what its predecessor, now closed, did not hear: a hold before
   * anything else. Only of a closed run is it known which signals it got.
   *
   * @return how many signals that were
   */
  int startInPlaceOf(RunHealth closed) {
    List<WorkflowExecutionSignaledEventAttributes> unheard =
        RunHealth.unheard(history(closed.runId()));
    Optional<WorkflowExecutionSignaledEventAttributes> hold = lastHoldOrResume(unheard);
    if (hold.isPresent() && hold.get().getSignalName().equals(HOLD)) {
      starter().hold(stack, reason(hold.get()));
    } else {
      start();
      hold.ifPresent(this::tell);
    }
    List<WorkflowExecutionSignaledEventAttributes> others =
        unheard.stream().filter(signal -> TOLD_AGAIN.contains(signal.getSignalName())).toList();
    others.forEach(this::tell);
    return others.size() + (hold.isPresent() ? 1 : 0);
  }

  private static Optional<WorkflowExecutionSignaledEventAttributes> lastHoldOrResume(
      List<WorkflowExecutionSignaledEventAttributes> signals) {
    return signals.reversed().stream()
        .filter(
            signal ->
                signal.getSignalName().equals(HOLD) || signal.getSignalName().equals("resume"))
        .findFirst();
  }

  private WorkflowStarter starter() {
    return new WorkflowStarter(client, cluster, CALL_LIMIT);
  }

  private String reason(WorkflowExecutionSignaledEventAttributes hold) {
    String reason =
        client
            .getOptions()
            .getDataConverter()
            .fromPayloads(0, Optional.of(hold.getInput()), String.class, String.class);
    return reason == null ? "" : reason;
  }

  private void tell(WorkflowExecutionSignaledEventAttributes signal) {
    client
        .getWorkflowServiceStubs()
        .blockingStub()
        .signalWorkflowExecution(
            SignalWorkflowExecutionRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setWorkflowExecution(
                    WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.of(stack)))
                .setSignalName(signal.getSignalName())
                .setInput(signal.getInput())
                .setIdentity(client.getOptions().getIdentity())
                .build());
  }
}
