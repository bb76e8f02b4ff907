package dev.reprise.activities.operation;

import dev.reprise.workflows.decision.Outcome;

/** Why an operation is cancelled. The agent keeps the words, so that a later attempt knows too. */
enum CancelCause {
  PERSON(Outcome.CANCELLED, "cancelled on request"),
  IDLE(Outcome.IDLE_TIMEOUT, "idle timeout: no event for too long"),
  LIMIT(Outcome.TIMEOUT, "timeout: the operation took too long");

  private final Outcome outcome;
  private final String reason;

  CancelCause(Outcome outcome, String reason) {
    this.outcome = outcome;
    this.reason = reason;
  }

  Outcome outcome() {
    return outcome;
  }

  String reason() {
    return reason;
  }

  /** What words kept by an agent stand for; anything not ours came from a person. */
  static CancelCause of(String words) {
    for (CancelCause cause : values()) {
      if (cause.reason.equals(words)) {
        return cause;
      }
    }
    return PERSON;
  }
}
