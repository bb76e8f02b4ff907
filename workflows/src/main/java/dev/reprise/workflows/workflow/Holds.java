package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.StackState;
import java.util.List;

/** Tells of holds that began or ended. */
final class Holds {
  private Holds() {}

  /**
   * The events of a change.
   *
   * @param seen tells whether an annotation pauses the Stack as well
   */
  static List<StackEvent> events(StackState before, StackState after, Observation seen) {
    if (before.hold().equals(after.hold())) {
      return List.of();
    }
    if (!after.hold().isEmpty()) {
      return List.of(new StackEvent(false, "HoldBegan", "held: " + after.hold()));
    }
    String still =
        seen.pause().isEmpty() ? "" : "; the annotation still pauses the Stack: " + seen.pause();
    return List.of(new StackEvent(false, "HoldEnded", "the hold has ended" + still));
  }
}
