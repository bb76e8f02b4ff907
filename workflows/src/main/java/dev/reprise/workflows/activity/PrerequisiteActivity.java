package dev.reprise.workflows.activity;

import dev.reprise.workflows.condition.Situations;
import dev.reprise.workflows.decision.RunRequest;
import dev.reprise.workflows.decision.StackDecider;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** Asks other Stacks to run, because a Stack waits for them. */
@ActivityInterface
public interface PrerequisiteActivity {
  /** The reasons of the conditions that show a Stack waiting for others. */
  List<String> WAITING_REASONS =
      List.of(Situations.PREREQUISITE_NOT_SATISFIED, StackDecider.PREREQUISITE_CYCLE);

  /**
   * Whom to ask.
   *
   * @param stack the Stack that waits
   * @param requests prerequisites in its namespace
   */
  record RequestInput(StackRef stack, List<RunRequest> requests) {}

  /**
   * What became of it. One that has moved on since it was looked at is in neither list.
   *
   * @param asked the names of those asked
   * @param problems a short sentence for each that cannot be asked
   */
  record RequestOutput(List<String> asked, List<String> problems) {}

  /**
   * Sets the force token of each that still stands as it was looked at, once per its last update.
   * What only a person can mend comes back as data; a failure of the API server is thrown.
   */
  @ActivityMethod(name = "RequestRuns")
  RequestOutput requestRuns(RequestInput input);
}
