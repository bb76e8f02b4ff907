package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.decision.Outcome;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Passes a cancel on that reached no worker. Between two attempts of an activity, as after the loss
 * of a worker, the service ends it by itself, and the operation on the agent would go on unseen. So
 * it is followed again and cancelled once a worker has had time to take that up.
 */
final class LateCancel {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private LateCancel() {}

  /**
   * How the operation ended.
   *
   * @param follow follows the operation where the agent knows it, and never starts it
   * @param reason who cancelled it and why
   */
  static OperationOutput pass(Supplier<Promise<OperationOutput>> follow, String reason) {
    Duration wait = FIRST;
    while (true) {
      Pending<OperationOutput> again = Pending.startDetached(follow);
      Waits.until(Waits.now().plus(wait), "a worker that passes the cancel on", again::completed);
      again.cancel(reason);
      Workflow.await(again::completed);
      try {
        OperationOutput output = again.get();
        return output.outcome() == Outcome.INTERRUPTED
            ? new OperationOutput(Outcome.CANCELLED, "", output.sent(), "")
            : output;
      } catch (ActivityFailure nobodyThere) {
        wait = wait.multipliedBy(2).compareTo(LONGEST) < 0 ? wait.multipliedBy(2) : LONGEST;
      }
    }
  }
}
