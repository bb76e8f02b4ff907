package dev.reprise.workflows.decision;

import java.time.Instant;

/**
 * The last finished attempt, also where no operation ran: what it ran on, and how it ended.
 *
 * @param kind what was run
 * @param generation the Stack's generation it ran for
 * @param deletion whether it ran because the Stack is being deleted
 * @param reconcileRequest the force token then; "" = none
 * @param revision the source's revision; "" = a Stack without a source
 * @param inputs the digest of the referenced configuration and secrets; "" = unknown
 * @param update the name of the update it ran, by which its operation can be asked for; "" = no
 *     operation ran, or not known
 * @param outcome how it ended
 * @param message one short line why; "" after a success
 * @param endTime when it ended
 */
public record LastAttempt(
    OperationKind kind,
    long generation,
    boolean deletion,
    String reconcileRequest,
    String revision,
    String inputs,
    String update,
    Outcome outcome,
    String message,
    Instant endTime) {

  /** No attempt has finished yet. */
  public static final LastAttempt NONE =
      new LastAttempt(
          OperationKind.UP, 0, false, "", "", "", "", Outcome.SUPERSEDED, "", Instant.EPOCH);

  /** Whether there was one. Generations start at 1. */
  public boolean exists() {
    return generation > 0;
  }

  /** Whether there was one and it succeeded. */
  public boolean succeeded() {
    return exists() && outcome == Outcome.SUCCEEDED;
  }

  /**
   * Whether it lost sight of an operation that an attempt for the same could still find: it may
   * run, or have ended with a result. For anything asked for since, that would be no result.
   */
  public boolean lostSightOf(Underway wanted) {
    return outcome == Outcome.INTERRUPTED
        && !update.isEmpty()
        && kind == wanted.kind()
        && generation == wanted.generation()
        && deletion == wanted.deletion()
        && reconcileRequest.equals(wanted.reconcileRequest())
        && (deletion || sameSource(wanted));
  }

  private boolean sameSource(Underway wanted) {
    return revision.equals(wanted.revision()) && !InputsDigest.differ(inputs, wanted.inputs());
  }

  LastAttempt withInputs(String digest) {
    return new LastAttempt(
        kind,
        generation,
        deletion,
        reconcileRequest,
        revision,
        digest,
        update,
        outcome,
        message,
        endTime);
  }
}
