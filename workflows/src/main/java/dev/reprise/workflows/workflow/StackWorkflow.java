package dev.reprise.workflows.workflow;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one Stack true for one of its generations. A run stays open as long as its Stack exists; it
 * continues as new for another generation and, when idle, to keep its history short.
 */
@WorkflowInterface
public interface StackWorkflow {

  /** The workflow type, as the Web UI lists it. */
  String TYPE = "Stack";

  /** Runs until the Stack is verifiably gone. */
  @WorkflowMethod(name = TYPE)
  void run(StackRun run);

  /** Look again; sent by the watcher. */
  @SignalMethod(
      name = "wake",
      description = "Look at the Stack again. Harmless at any time; needs no input.")
  void wake(@Nullable Hint hint);

  /** End any wait and make one attempt now. */
  @SignalMethod(
      name = "retryNow",
      description =
          "End any wait and make one attempt now. Optional input:"
              + " {\"resetFailures\": true, \"reason\": \"fixed the quota\"}")
  void retryNow(@Nullable RetryRequest request);

  /** The same, and tells what will happen. */
  @UpdateMethod(
      name = "retry",
      description =
          "Like retryNow, and answers what will happen. Optional input: {\"resetFailures\": true}")
  String retry(@Nullable RetryRequest request);

  /** Refuses a retry that could not be obeyed. */
  @UpdateValidatorMethod(updateName = "retry")
  void validateRetry(@Nullable RetryRequest request);

  /** Start nothing new until {@link #resume}. */
  @SignalMethod(
      name = "hold",
      description =
          "Finish the running operation and start no other until resume; a deletion still"
              + " proceeds. Input: the reason, as a string.")
  void hold(@Nullable String reason);

  /** End a hold. */
  @SignalMethod(
      name = "resume",
      description = "End a hold. An annotation that pauses the Stack still holds.")
  void resume();

  /** End the running operation gracefully. */
  @SignalMethod(
      name = "cancelOperation",
      description =
          "End the running operation gracefully; it is not counted as a failure. Input: the reason,"
              + " as a string. Does nothing when none runs.")
  void cancelOperation(@Nullable String reason);

  /** The same, and tells what will happen. */
  @UpdateMethod(
      name = "cancel",
      description =
          "Like cancelOperation, and answers what will happen. Input: the reason, as a string.")
  String cancel(@Nullable String reason);

  /** Refuses a cancel when no operation runs. */
  @UpdateValidatorMethod(updateName = "cancel")
  void validateCancel(@Nullable String reason);

  /** The state as one record. */
  @QueryMethod(name = "status", description = "Phase, attempt, failures, why, and when next.")
  StackView status();
}
