package dev.reprise.workflows.decision;

import java.time.Instant;

/**
 * What a Stack's runs remember: carried by continue-as-new, mirrored in the Stack's status, and
 * read back from there by a run that carries none.
 *
 * @param failures consecutive counted failures
 * @param inARow how many attempts in a row ended as the last one did
 * @param obstacleInARow how many observations in a row met the same kind of obstacle
 * @param attempt attempts made for the present cause, the running one included
 * @param upStarted whether an up has ever been sent
 * @param last the last finished attempt
 * @param lastUpdate the last operation that ran
 * @param hold why a person holds the Stack; "" = not held
 * @param request a retry not yet obeyed
 * @param sequence the number of the last status report issued
 */
public record StackState(
    int failures,
    int inARow,
    int obstacleInARow,
    int attempt,
    boolean upStarted,
    LastAttempt last,
    LastUpdate lastUpdate,
    String hold,
    PendingRetry request,
    long sequence) {

  /** A Stack nothing is known of. */
  public static final StackState EMPTY =
      new StackState(
          0, 0, 0, 0, false, LastAttempt.NONE, LastUpdate.NONE, "", PendingRetry.NONE, 0);

  /**
   * The state once the attempt begins: a cause that forgives starts counting at zero, and the
   * request, if there was one, is obeyed by it.
   */
  public StackState beginning(Decision.Run run) {
    boolean fresh = run.resetsFailures();
    return new StackState(
        fresh ? 0 : failures,
        fresh ? 0 : inARow,
        0,
        fresh ? 1 : attempt + 1,
        upStarted,
        last,
        lastUpdate,
        hold,
        PendingRetry.NONE,
        sequence);
  }

  /** The same once an up is about to be sent. */
  public StackState upStarting() {
    return new StackState(
        failures, inARow, obstacleInARow, attempt, true, last, lastUpdate, hold, request, sequence);
  }

  /** The state after an attempt that ended; not to be called for a superseded one. */
  public StackState ended(LastAttempt ended, LastUpdate update) {
    int row = last.exists() && last.outcome() == ended.outcome() && inARow > 0 ? inARow + 1 : 1;
    return new StackState(
        ended.succeeded() ? 0 : ended.outcome().counted(row) ? failures + 1 : failures,
        row,
        0,
        ended.succeeded() ? 0 : attempt,
        upStarted,
        ended,
        update,
        hold,
        request,
        sequence);
  }

  /** The same with another hold; "" ends it. */
  public StackState held(String reason) {
    return new StackState(
        failures,
        inARow,
        obstacleInARow,
        attempt,
        upStarted,
        last,
        lastUpdate,
        reason,
        request,
        sequence);
  }

  /** The same with a request added to the one that may be there. */
  public StackState requested(PendingRetry later) {
    return new StackState(
        failures,
        inARow,
        obstacleInARow,
        attempt,
        upStarted,
        last,
        lastUpdate,
        hold,
        request.and(later),
        sequence);
  }

  /** The same with the number of a newly issued report. */
  public StackState reported(long number) {
    return new StackState(
        failures,
        inARow,
        obstacleInARow,
        attempt,
        upStarted,
        last,
        lastUpdate,
        hold,
        request,
        number);
  }

  /**
   * The same after one more observation: obstacles in a row are counted, and a digest of inputs
   * that could not be compared with the old one is adopted silently.
   */
  public StackState seeing(Observation seen) {
    boolean adopt =
        last.exists()
            && !seen.inputs().isEmpty()
            && !InputsDigest.comparable(last.inputs(), seen.inputs());
    return new StackState(
        failures,
        inARow,
        seen.obstacle().exists() ? obstacleInARow + 1 : 0,
        attempt,
        upStarted,
        adopt ? last.withInputs(seen.inputs()) : last,
        lastUpdate,
        hold,
        request,
        sequence);
  }

  /** The same without what changes from one look to the next, to compare what people see. */
  public StackState content() {
    return new StackState(
        failures, inARow, 0, attempt, upStarted, last, lastUpdate, hold, request, 0);
  }

  /** When the wait after the last attempt is over; only asked of one that failed. */
  public Instant retryAt(RetryPolicy policy) {
    return last.endTime().plus(Cooldown.of(last.outcome(), inARow, failures, policy));
  }
}
