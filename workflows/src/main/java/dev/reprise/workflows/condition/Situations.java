package dev.reprise.workflows.condition;

import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.StackState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Puts decisions into words. */
public final class Situations {
  private static final String PROCESSING = "StackProcessing";

  /** The reason of the condition Reconciling while other Stacks have to succeed first. */
  public static final String PREREQUISITE_NOT_SATISFIED = "PrerequisiteNotSatisfied";

  /** Ends the message of every situation that a person may cut short. */
  public static final String RETRY_HINT =
      "; to retry now: reprise retry, the signal retryNow, or annotation"
          + " pulumi.com/reconciliation-request";

  private Situations() {}

  /** Before the operation is sent. */
  public static Situation preparing(Decision.Run run, StackState state) {
    return Situation.of(
        Phase.PREPARING, PROCESSING, "waiting for workspace readiness, " + attempt(run, state));
  }

  /** While the operation runs. */
  public static Situation running(Decision.Run run, StackState state) {
    return Situation.of(
        Phase.RUNNING, PROCESSING, "stack is being processed: " + attempt(run, state));
  }

  /** While a person's cancel is under way. */
  public static Situation cancelling(Decision.Run run, String reason) {
    return Situation.of(
        Phase.CANCELLING, PROCESSING, run.kind().word() + " is being cancelled: " + reason);
  }

  /** While our finalizer is taken off. */
  public static Situation releasing() {
    return Situation.of(Phase.RELEASING, PROCESSING, "nothing is left to destroy, releasing");
  }

  /** While a run waits. */
  public static Situation waiting(Decision.Wait wait, StackState state, RetryPolicy policy) {
    return switch (wait) {
      case Decision.InSync in ->
          Situation.of(
              Phase.IN_SYNC,
              "ProcessingCompleted",
              state.last().kind() == OperationKind.PREVIEW
                  ? "the stack has been previewed"
                  : "the stack has been processed and is up to date");
      case Decision.CoolingDown cooling -> coolingDown(cooling.until(), state, policy);
      case Decision.Stopped stopped ->
          new Situation(
              Phase.STALLED,
              state.last().outcome().reason(),
              "%s failed %s; not retrying until the spec or source changes%s"
                  .formatted(
                      state.last().kind().word(), times(state.failures()), why(state.last())),
              RETRY_HINT,
              Instant.EPOCH);
      case Decision.Paused paused -> Situation.of(Phase.PAUSED, "Paused", paused.reason());
      case Decision.Blocked blocked ->
          Situation.of(Phase.STALLED, blocked.obstacle().reason(), blocked.obstacle().message());
      case Decision.AwaitingPrerequisites awaiting ->
          Situation.of(
              Phase.WAITING_FOR_PREREQUISITES,
              PREREQUISITE_NOT_SATISFIED,
              String.join("; ", awaiting.waitingFor()));
      case Decision.Released released ->
          Situation.of(Phase.RELEASING, PROCESSING, "waiting for other finalizers");
    };
  }

  private static Situation coolingDown(Instant until, StackState state, RetryPolicy policy) {
    LastAttempt last = state.last();
    boolean many = policy.stalledAfter() > 0 && state.failures() >= policy.stalledAfter();
    boolean helpNeeded =
        switch (last.outcome()) {
          case PENDING_OPERATIONS, ACCESS_DENIED, INPUT_REFUSED, SOURCE_UNAVAILABLE -> true;
          default -> false;
        };
    return new Situation(
        state.stopped(policy) || many || helpNeeded ? Phase.STALLED : Phase.COOLING_DOWN,
        reason(last),
        failed(state)
            + why(last)
            + before(state)
            + "; attempt %d at %s"
                .formatted(state.attempt() + 1, until.truncatedTo(ChronoUnit.SECONDS)),
        RETRY_HINT,
        until);
  }

  private static String reason(LastAttempt last) {
    if (last.outcome() != Outcome.OPERATION_FAILED) {
      return last.outcome().reason();
    }
    return last.kind() == OperationKind.PREVIEW ? "PreviewFailed" : "RetryingAfterFailure";
  }

  private static String failed(StackState state) {
    String kind = state.last().kind().word();
    if (state.last().outcome() == Outcome.CANCELLED) {
      return kind + " was cancelled";
    }
    return counted(state)
        ? "%s failed %s".formatted(kind, times(state.failures()))
        : "%s could not be completed".formatted(kind);
  }

  /** Failures that are still remembered, though the last attempt was none. */
  private static String before(StackState state) {
    return counted(state) || state.failures() == 0
        ? ""
        : "; failed %s before".formatted(times(state.failures()));
  }

  private static boolean counted(StackState state) {
    return state.last().outcome().counted(state.inARow());
  }

  private static String times(int failures) {
    return failures == 1 ? "once" : failures + " times";
  }

  private static String why(LastAttempt last) {
    String saidAlready =
        last.outcome() == Outcome.CANCELLED ? "cancelled: " : last.kind().word() + " failed: ";
    String message = last.message();
    String bare =
        message.startsWith(saidAlready) ? message.substring(saidAlready.length()) : message;
    return bare.isEmpty() ? "" : ": " + bare;
  }

  private static String attempt(Decision.Run run, StackState state) {
    return "%s, attempt %d (%s)".formatted(run.kind().word(), state.attempt(), run.why());
  }
}
