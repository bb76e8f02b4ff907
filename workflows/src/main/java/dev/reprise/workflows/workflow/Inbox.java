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
    woken = true;
    retry = retry.and(request);
  }

  void hold(String reason) {
    woken = true;
    holdChanged = true;
    hold = reason;
  }

  void cancel(String reason) {
    cancelReason = reason;
  }

  /** Whether something arrived since the last look began. */
  boolean anything() {
    return woken;
  }

  boolean cancelAsked() {
    return !cancelReason.isEmpty();
  }

  /** The hold as it will be once everything said so far has been acted on. */
  String holdAfter(StackState state) {
    return holdChanged ? hold : state.hold();
  }

  /** A look begins: what woke the run before it is seen by it, what comes later is not. */
  void looking() {
    woken = false;
  }

  /** Whether a hold was ended and the run has not acted on it yet. */
  boolean resumed() {
    return holdChanged && hold.isEmpty();
  }

  /** Whether somebody asked for a retry, a hold or its end, and nothing has taken it in yet. */
  boolean wished() {
    return holdChanged || retry.present();
  }

  /** Takes out every wish said so far. */
  Wishes take() {
    Wishes wishes = new Wishes(retry, holdChanged, hold);
    retry = PendingRetry.NONE;
    holdChanged = false;
    return wishes;
  }

  /** Moves every wish said so far into the state. */
  StackState drainInto(StackState state) {
    return take().into(state);
  }

  String takeCancel() {
    String reason = cancelReason;
    cancelReason = "";
    return reason;
  }

  /** What was said between two looks. */
  record Wishes(PendingRetry retry, boolean holdChanged, String hold) {
    StackState into(StackState state) {
      StackState asked = state.requested(retry);
      return holdChanged ? asked.held(hold) : asked;
    }
  }
}
