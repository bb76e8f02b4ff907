package dev.reprise.cli;

import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.api.history.v1.WorkflowTaskFailedEventAttributes;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import java.util.List;
import java.util.Set;

/**
 * Whether an open run can go on. A run whose code does not fit its history fails its workflow task,
 * and again, for ever.
 *
 * @param runId the run
 * @param failing whether its workflow task failed and nothing has succeeded since
 * @param attempts how often in a row it was tried; 0 = the server does not tell
 * @param why what the worker said, in one line; "" when nothing failed
 * @param reporting whether a write of the Stack's status is still under way
 */
record RunHealth(String runId, boolean failing, int attempts, String why, boolean reporting) {
  /** A task that fails once, as when a worker ends in the middle of it, is no pattern. */
  private static final int ENOUGH = 3;

  private static final int LONGEST = 300;

  /** Failures that come with a race or a reset and are over with the next try. */
  private static final Set<WorkflowTaskFailedCause> BENIGN =
      Set.of(
          WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
          WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW,
          WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_STICKY_TASK_QUEUE,
          WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND);

  /** Reads it off a run's description and history. */
  static RunHealth of(DescribeWorkflowExecutionResponse run, List<HistoryEvent> history) {
    List<HistoryEvent> since = sinceLastSuccess(history);
    int attempts = run.hasPendingWorkflowTask() ? run.getPendingWorkflowTask().getAttempt() : 0;
    String why =
        since.reversed().stream()
            .filter(event -> event.hasWorkflowTaskFailedEventAttributes())
            .map(event -> event.getWorkflowTaskFailedEventAttributes())
            .filter(failure -> !BENIGN.contains(failure.getCause()))
            .map(RunHealth::line)
            .findFirst()
            .orElse(attempts >= ENOUGH ? "it does not complete within its time" : "");
    return new RunHealth(
        run.getWorkflowExecutionInfo().getExecution().getRunId(),
        !why.isEmpty() && (attempts == 0 || attempts >= ENOUGH),
        attempts,
        why,
        run.getPendingActivitiesList().stream()
            .anyMatch(activity -> activity.getActivityType().getName().equals("Report")));
  }

  /** The signals that came since the last task that succeeded: no code has acted on them. */
  static List<WorkflowExecutionSignaledEventAttributes> unheard(List<HistoryEvent> history) {
    return sinceLastSuccess(history).stream()
        .filter(event -> event.hasWorkflowExecutionSignaledEventAttributes())
        .map(event -> event.getWorkflowExecutionSignaledEventAttributes())
        .toList();
  }

  /** What is wrong, for people. */
  String text() {
    return attempts > 0
        ? "its workflow task was tried %d times: %s".formatted(attempts, why)
        : "its workflow task fails: " + why;
  }

  private static List<HistoryEvent> sinceLastSuccess(List<HistoryEvent> history) {
    int next = history.size();
    while (next > 0
        && history.get(next - 1).getEventType() != EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED) {
      next--;
    }
    return history.subList(next, history.size());
  }

  private static String line(WorkflowTaskFailedEventAttributes failed) {
    String message = failed.getFailure().getMessage();
    String text = message.isBlank() ? failed.getCause().name() : message;
    String line = text.replaceAll("\\s+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
