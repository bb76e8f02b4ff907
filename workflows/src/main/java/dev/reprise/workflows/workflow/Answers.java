package dev.reprise.workflows.workflow;

import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.PendingRetry;

/** Tells a person what a wish will lead to, or why it cannot be obeyed. */
final class Answers {
  private Answers() {}

  /**
   * What a request to retry will lead to.
   *
   * @param latest what was decided at the last look
   */
  static String toRetry(PendingRetry request, Decision latest, StackView view, Phase phase) {
    return switch (latest) {
      case Decision.Blocked blocked -> "kept until this is mended: " + blocked.obstacle().message();
      case Decision.AwaitingPrerequisites awaiting ->
          "kept until the prerequisites are satisfied: " + String.join("; ", awaiting.waitingFor());
      case Decision.Run run when phase == Phase.PREPARING ->
          "attempt %d is being prepared".formatted(view.attempt());
      case Decision.Run run -> "an operation is running; one more will follow";
      case Decision.Follow follow -> "an operation is running; one more will follow";
      case Decision.InSync in -> starts(request, view);
      case Decision.CoolingDown cooling -> starts(request, view);
      case Decision.Stopped stopped -> starts(request, view);
      case Decision.Paused paused -> "kept until the Stack has resumed";
      case Decision.Release release -> "kept until the Stack has been looked at";
      case Decision.Released released -> "kept until the Stack has been looked at";
    };
  }

  /**
   * Refuses a retry that could not be obeyed.
   *
   * @param held why a person holds the Stack; "" = not held
   * @param resumed whether a hold was ended and the run has not acted on it yet
   */
  static void validateRetry(String held, boolean resumed, StackView view, Phase phase) {
    if (!held.isEmpty()) {
      throw new IllegalStateException("the Stack is held (" + held + "); resume it first");
    }
    if (phase == Phase.PAUSED && !resumed) {
      throw new IllegalStateException(
          "the Stack is paused (" + view.message() + "); resume it first");
    }
    if (phase == Phase.RELEASING) {
      throw new IllegalStateException("the Stack is being released; there is nothing to retry");
    }
  }

  /** What a cancel will lead to. */
  static String toCancel(Decision latest, StackView view) {
    String kind =
        switch (latest) {
          case Decision.Run run -> run.kind().word();
          case Decision.Follow follow -> follow.operation().kind().word();
          default -> "the operation";
        };
    return "%s, attempt %d, is being cancelled".formatted(kind, view.attempt());
  }

  /** Refuses a cancel when no operation runs. */
  static void validateCancel(StackView view, Phase phase) {
    if (phase == Phase.PREPARING && view.attempt() > 0) {
      throw new IllegalStateException(
          "no operation runs yet, attempt %d is being prepared; to start none, hold the Stack"
              .formatted(view.attempt()));
    }
    if (phase != Phase.RUNNING && phase != Phase.CANCELLING) {
      throw new IllegalStateException(
          "no operation runs (%s); there is nothing to cancel".formatted(view.phase()));
    }
  }

  private static String starts(PendingRetry request, StackView view) {
    int attempts = request.resetFailures() ? 0 : view.attempt();
    return "attempt %d starts now".formatted(attempts + 1);
  }
}
