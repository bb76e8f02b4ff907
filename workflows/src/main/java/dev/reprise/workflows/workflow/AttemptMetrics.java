package dev.reprise.workflows.workflow;

import com.uber.m3.tally.Scope;
import com.uber.m3.util.Duration;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.TreeMap;

/**
 * Numbers about attempts, through the SDK's scope, which counts nothing twice when a run is
 * replayed. They are told by kind and outcome only, never by Stack: of these there are few.
 */
final class AttemptMetrics {
  private AttemptMetrics() {}

  /**
   * An attempt has ended.
   *
   * @param counted whether it raised the number of consecutive failures
   */
  static void ended(OperationKind kind, Outcome outcome, boolean counted) {
    Scope scope = scope(kind, outcome);
    scope.counter("reprise_attempts").inc(1);
    if (counted) {
      scope.counter("reprise_failures_counted").inc(1);
    }
  }

  /** An operation has ended that was asked for at this time; waiting for a slot included. */
  static void operated(OperationKind kind, Outcome outcome, Instant asked) {
    long millis = java.time.Duration.between(asked, Waits.now()).toMillis();
    scope(kind, outcome)
        .timer("reprise_operation_duration")
        .record(Duration.ofMillis((double) millis));
  }

  private static Scope scope(OperationKind kind, Outcome outcome) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("kind", kind.word());
    labels.put("outcome", outcome.reason());
    return Workflow.getMetricsScope().tagged(labels);
  }
}
