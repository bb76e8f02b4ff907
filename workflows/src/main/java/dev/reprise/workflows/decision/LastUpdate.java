package dev.reprise.workflows.decision;

import java.time.Instant;

/**
 * The last operation that ran, as the Stack's {@code status.lastUpdate} shows it. It changes only
 * when an operation ran, never for trouble on the way to one.
 *
 * @param name the update's name, also the prefix of its outputs Secret; "" = none ran yet
 * @param kind what ran
 * @param generation the Stack's generation it ran for
 * @param reconcileRequest the force token then; "" = none
 * @param succeeded its result
 * @param message one short line why it failed; "" after a success
 * @param attemptedRevision the revision it ran
 * @param successfulRevision the revision of the last success; "" = none yet
 * @param permalink the backend's page; "" = none
 * @param endTime when it ended
 */
public record LastUpdate(
    String name,
    OperationKind kind,
    long generation,
    String reconcileRequest,
    boolean succeeded,
    String message,
    String attemptedRevision,
    String successfulRevision,
    String permalink,
    Instant endTime) {

  /** No operation has run yet. */
  public static final LastUpdate NONE =
      new LastUpdate("", OperationKind.UP, 0, "", false, "", "", "", "", Instant.EPOCH);

  /**
   * The next one: the operation of an attempt that has ended.
   *
   * @param page the backend's page of it; "" = none
   */
  public LastUpdate followedBy(LastAttempt attempt, String page) {
    boolean applied = attempt.succeeded() && attempt.kind() == OperationKind.UP;
    return new LastUpdate(
        attempt.update(),
        attempt.kind(),
        attempt.generation(),
        attempt.reconcileRequest(),
        attempt.succeeded(),
        attempt.message(),
        attempt.revision(),
        applied ? attempt.revision() : successfulRevision,
        page,
        attempt.endTime());
  }

  /** Whether one ran. */
  public boolean exists() {
    return generation > 0;
  }
}
