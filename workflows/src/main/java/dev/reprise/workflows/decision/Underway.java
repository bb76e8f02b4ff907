package dev.reprise.workflows.decision;

import java.time.Instant;

/**
 * An operation that has been asked of the agent and whose end is not known yet: what it runs on,
 * and the name to ask for it by. Should the run be lost, its successor follows the operation on.
 *
 * @param kind what runs
 * @param generation the Stack's generation it runs for
 * @param deletion whether it runs because the Stack is being deleted
 * @param reconcileRequest the force token; "" = none
 * @param revision the source's revision; "" = a Stack without a source
 * @param inputs the digest of the referenced configuration and secrets; "" = unknown
 * @param update the name of the update
 */
public record Underway(
    OperationKind kind,
    long generation,
    boolean deletion,
    String reconcileRequest,
    String revision,
    String inputs,
    String update) {

  /** No operation is under way. */
  public static final Underway NONE = new Underway(OperationKind.UP, 0, false, "", "", "", "");

  /** What an attempt decided on this observation runs on. */
  public static Underway of(OperationKind kind, Observation seen, String update) {
    return new Underway(
        kind,
        seen.generation(),
        seen.deleting(),
        seen.reconcileRequest(),
        seen.revision(),
        seen.inputs(),
        update);
  }

  /** Whether there is one. Generations start at 1. */
  public boolean exists() {
    return generation > 0;
  }

  /** The finished attempt it became. */
  public LastAttempt ended(Outcome outcome, String message, Instant endTime) {
    return new LastAttempt(
        kind,
        generation,
        deletion,
        reconcileRequest,
        revision,
        inputs,
        update,
        outcome,
        message,
        endTime);
  }
}
