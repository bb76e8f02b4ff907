package dev.reprise.workflows.activity;

import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.StackState;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.time.Instant;
import java.util.List;

/** Shows a run's state on the Stack. A mirror: it never changes or delays a decision. */
@ActivityInterface
public interface ReportActivity {

  /**
   * The whole status as the run wants it shown.
   *
   * @param stack the Stack
   * @param looked what the run has seen of the object, also where it did not act on it yet
   * @param generation the generation the conditions speak of; 0 = leave what is shown
   * @param reconcileRequest the force token acted on; "" = none
   * @param conditions the conditions; empty = leave those shown
   * @param state the run's memory; its sequence number orders reports
   * @param paused why the Stack is paused; "" = it is not
   * @param policy how it is retried, in the words of the status; "" = not known
   * @param nextAttempt when the next attempt starts by itself; epoch = not planned
   * @param nextWake when the run writes again at the latest; epoch = it will not, start another
   * @param events what happened since the last report
   */
  record ReportInput(
      StackRef stack,
      Looked looked,
      long generation,
      String reconcileRequest,
      List<Condition> conditions,
      StackState state,
      String paused,
      String policy,
      Instant nextAttempt,
      Instant nextWake,
      List<StackEvent> events) {}

  /**
   * What a run has seen of its object, so that nobody has to tell it again.
   *
   * @param generation {@code metadata.generation}
   * @param reconcileRequest the force token; "" = none
   */
  record Looked(long generation, String reconcileRequest) {}

  /** A Kubernetes event to be emitted on the Stack. */
  record StackEvent(boolean warning, String reason, String message) {}

  /**
   * What became of it.
   *
   * @param written false when the object shows a newer report already, or is gone
   */
  record ReportOutput(boolean written) {}

  /** Writes the status and emits the events. */
  @ActivityMethod(name = "Report")
  ReportOutput report(ReportInput input);
}
