package dev.reprise.workflows.workflow;

import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;

/** What signals and updates said and the run has not acted on yet. Handlers only assign here. */
final class Inbox {
  private boolean woken;
  private PendingRetry retry = PendingRetry.NONE;
  private boolean holdChanged;
  private String hold = "";
  private String cancelReason = "";

  void wake() {
    woken = true;
  }

  void retry(PendingRetry request) {
    retry = retry.and(request);
  }

  void hold(String reason) {
    holdChanged = true;
    hold = reason;
  }

  void cancel(String reason) {
    cancelReason = reason;
  }

  /** Whether there is a reason to look again. */
  boolean anything() {
    return woken || retry.present() || holdChanged;
  }

  boolean cancelAsked() {
    return !cancelReason.isEmpty();
  }

  /** The hold as it will be once everything said so far has been acted on. */
  String holdAfter(StackState state) {
    return holdChanged ? hold : state.hold();
  }

  /** Moves everything said so far into the state. */
  StackState drainInto(StackState state) {
    StackState drained = state.requested(retry);
    if (holdChanged) {
      drained = drained.held(hold);
    }
    woken = false;
    retry = PendingRetry.NONE;
    holdChanged = false;
    return drained;
  }

  String takeCancel() {
    String reason = cancelReason;
    cancelReason = "";
    return reason;
  }
}
