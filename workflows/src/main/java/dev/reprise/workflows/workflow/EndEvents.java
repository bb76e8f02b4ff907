package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import java.util.List;

/** What Kubernetes events tell of an attempt's end, in the Pulumi Kubernetes Operator's words. */
final class EndEvents {
  private EndEvents() {}

  /** A success stays one, whatever became of its outputs. */
  static List<StackEvent> of(OperationKind kind, String title, OperationOutput output) {
    if (output.outcome() != Outcome.SUCCEEDED) {
      return List.of(new StackEvent(true, "StackUpdateFailure", title + ": " + output.message()));
    }
    String reason = kind == OperationKind.DESTROY ? "StackDestroyed" : "StackCreated";
    StackEvent success = new StackEvent(false, reason, kind.word() + " succeeded");
    return output.message().isEmpty()
        ? List.of(success)
        : List.of(success, new StackEvent(true, "StackOutputRetrievalFailure", output.message()));
  }
}
