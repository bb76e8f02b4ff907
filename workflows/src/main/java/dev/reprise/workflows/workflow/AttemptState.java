package dev.reprise.workflows.workflow;

import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;

/**
 * What a run remembers around an attempt: the state to return to if nothing is sent, which is also
 * what the status records until then, and the state once the attempt counts.
 */
final class AttemptState {
  private final Decision.Run run;
  private StackState resting;
  private StackState begun;

  private AttemptState(Decision.Run run, StackState resting, StackState begun) {
    this.run = run;
    this.resting = resting;
    this.begun = begun;
  }

  /** An attempt begins. */
  static AttemptState beginning(Decision.Run run, StackState resting) {
    return new AttemptState(run, resting, resting.beginning(run));
  }

  /** An attempt that an earlier run began goes on. */
  static AttemptState goingOn(Decision.Run run, StackState begun) {
    return new AttemptState(run, begun.operating(Underway.NONE), begun);
  }

  StackState resting() {
    return resting;
  }

  StackState begun() {
    return begun;
  }

  /** While preparing: a retry that was asked for meanwhile is this very attempt. */
  void takeInPreparing(Inbox inbox) {
    long sequence = begun.sequence();
    resting = inbox.drainInto(resting);
    boolean reset = run.resetsFailures() || resting.request().resetFailures();
    begun =
        resting
            .beginning(new Decision.Run(run.kind(), run.cause(), reset, run.why()))
            .reported(sequence);
  }

  /** While the operation runs: a retry that was asked for meanwhile is one more. */
  void takeInOperating(Inbox inbox) {
    Inbox.Wishes wishes = inbox.take();
    resting = wishes.into(resting);
    begun = wishes.into(begun);
  }

  void upStarting() {
    begun = begun.upStarting();
  }

  void operating(Underway operation) {
    begun = begun.operating(operation);
  }

  /** A report got this number. */
  void reported(long sequence) {
    resting = resting.reported(sequence);
    begun = begun.reported(sequence);
  }

  /** As if the attempt had not begun, but for the reports it made. */
  void nothingSent() {
    begun = resting;
  }

  void ended(LastAttempt attempt, LastUpdate update) {
    begun = begun.ended(attempt, update);
  }
}
