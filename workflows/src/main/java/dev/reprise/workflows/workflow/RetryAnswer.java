package dev.reprise.workflows.workflow;

import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.PendingRetry;

/** Tells a person what a request to retry will lead to. */
final class RetryAnswer {
  private RetryAnswer() {}

  /**
   * What will happen.
   *
   * @param latest what was decided at the last look
   */
  static String to(PendingRetry request, Decision latest, StackView view, Phase phase) {
    return switch (latest) {
      case Decision.Blocked blocked -> "kept until this is mended: " + blocked.obstacle().message();
      case Decision.AwaitingPrerequisites awaiting ->
          "kept until the prerequisites are satisfied: " + String.join("; ", awaiting.waitingFor());
      case Decision.Run run when phase == Phase.PREPARING ->
          "attempt %d is being prepared".formatted(view.attempt());
      case Decision.Run run -> "an operation is running; one more will follow";
      case Decision.InSync in -> starts(request, view);
      case Decision.CoolingDown cooling -> starts(request, view);
      case Decision.Stopped stopped -> starts(request, view);
      case Decision.Paused paused -> "kept until the Stack has resumed";
      case Decision.Release release -> "kept until the Stack has been looked at";
      case Decision.Released released -> "kept until the Stack has been looked at";
    };
  }

  private static String starts(PendingRetry request, StackView view) {
    int attempts = request.resetFailures() ? 0 : view.attempt();
    return "attempt %d starts now".formatted(attempts + 1);
  }
}
