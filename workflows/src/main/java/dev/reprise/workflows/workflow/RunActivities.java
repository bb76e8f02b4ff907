package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.FinalizerActivity;
import dev.reprise.workflows.activity.ObserveActivity;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.PrerequisiteActivity;
import dev.reprise.workflows.activity.ReportActivity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.decision.Observation;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** The activities of a run, each with its limits. */
final class RunActivities {
  /** An operation may take days; what is longer has certainly been lost. */
  private static final Duration LONGEST_OPERATION = Duration.ofDays(30);

  /** A worker cancels an operation at its hard limit; this is for the agent to end it. */
  private static final Duration AFTER_HARD_LIMIT = Duration.ofMinutes(15);

  private final TaskQueues queues;

  private final ObserveActivity observeHere =
      Workflow.newLocalActivityStub(
          ObserveActivity.class,
          LocalActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(2))
              .setScheduleToCloseTimeout(Duration.ofSeconds(2))
              .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
              .setDoNotIncludeArgumentsIntoMarker(true)
              .setSummary("observe")
              .build());

  private final ObserveActivity observe =
      Workflow.newActivityStub(
          ObserveActivity.class,
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(30))
              .setRetryOptions(forever(Duration.ofSeconds(30)))
              .setSummary("observe, after a first look failed")
              .build());

  RunActivities(TaskQueues queues) {
    this.queues = queues;
  }

  /**
   * One snapshot. First as a local activity, which costs about 1 ms instead of 30; when that fails
   * or takes longer than 2 seconds, as a regular one, retried until the API server answers. A wake
   * that comes while it looks stays in the inbox: what it tells of may have been overlooked.
   */
  Observation observe(StackRef stack, Inbox inbox) {
    inbox.looking();
    try {
      return observeHere.observe(stack);
    } catch (ActivityFailure failed) {
      if (failed.getCause() instanceof CanceledFailure) {
        throw failed;
      }
      return observe.observe(stack);
    }
  }

  FinalizerActivity finalizer(String summary) {
    return Workflow.newActivityStub(
        FinalizerActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(60))
            .setRetryOptions(forever(Duration.ofSeconds(30)))
            .setSummary(summary)
            .build());
  }

  /** Given up after a minute: whoever waits for them looks again soon. */
  PrerequisiteActivity prerequisites(String summary) {
    return Workflow.newActivityStub(
        PrerequisiteActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(30))
            .setScheduleToCloseTimeout(Duration.ofMinutes(1))
            .setRetryOptions(forever(Duration.ofSeconds(30)))
            .setSummary(summary)
            .build());
  }

  ReportActivity report(String summary) {
    return Workflow.newActivityStub(
        ReportActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(10))
            .setRetryOptions(forever(Duration.ofSeconds(10)))
            .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
            .setSummary(summary)
            .build());
  }

  WorkspaceActivity workspace(String summary) {
    return Workflow.newActivityStub(
        WorkspaceActivity.class,
        ActivityOptions.newBuilder()
            .setTaskQueue(queues.workspaces())
            .setStartToCloseTimeout(Duration.ofMinutes(15))
            .setHeartbeatTimeout(Duration.ofSeconds(30))
            .setRetryOptions(forever(Duration.ofSeconds(30)))
            .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
            .setSummary(summary)
            .build());
  }

  OperationActivity operation(String summary, Duration hardLimit) {
    return Workflow.newActivityStub(
        OperationActivity.class,
        ActivityOptions.newBuilder()
            .setTaskQueue(queues.operations())
            .setStartToCloseTimeout(
                hardLimit.isZero() ? LONGEST_OPERATION : hardLimit.plus(AFTER_HARD_LIMIT))
            .setHeartbeatTimeout(Duration.ofSeconds(30))
            .setRetryOptions(forever(Duration.ofSeconds(30)))
            .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
            .setSummary(summary)
            .build());
  }

  private static RetryOptions forever(Duration longestInterval) {
    return RetryOptions.newBuilder()
        .setInitialInterval(Duration.ofSeconds(1))
        .setBackoffCoefficient(2)
        .setMaximumInterval(longestInterval)
        .build();
  }
}
