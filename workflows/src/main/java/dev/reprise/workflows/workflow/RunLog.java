package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.LogKeys;
import dev.reprise.workflows.activity.StackRef;
import io.temporal.workflow.Workflow;
import org.slf4j.Logger;
import org.slf4j.MDC;

/**
 * What a run tells in the worker's log: a line for each change of phase, none when replayed. Why an
 * attempt failed is told by the Stack's status and events, where its owner may read it.
 */
final class RunLog {
  private static final Logger log = Workflow.getLogger(StackWorkflow.class);

  private RunLog() {}

  static void phase(StackRef stack, StackView before, StackView now) {
    if (before.phase().equals(now.phase()) && before.attempt() == now.attempt()) {
      return;
    }
    try (var s = MDC.putCloseable(LogKeys.STACK, stack.toString());
        var g = MDC.putCloseable(LogKeys.GENERATION, Long.toString(now.generation()));
        var a = MDC.putCloseable(LogKeys.ATTEMPT, Integer.toString(now.attempt()))) {
      log.info(
          "{} (attempt {}, failures {}, last result {}, next attempt {})",
          now.phase(),
          now.attempt(),
          now.failures(),
          orDash(now.lastResult()),
          orDash(now.nextAttempt()));
    }
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
