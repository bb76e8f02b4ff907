package dev.reprise.workflows.decision;

/**
 * How an attempt ended, and what follows from it. The founding rule: what a program did wrong is
 * counted and retried slowly, what went wrong on the way there is retried quickly and not counted.
 * This enum is the whole table; the documentation's table is checked against it.
 */
public enum Outcome {
  /** The agent reported success. */
  SUCCEEDED(Count.RESET, Wait.NONE, "ProcessingCompleted"),
  /** No connection to the agent, or an error of the way, before the operation was sent. */
  UNREACHABLE(Count.KEEP, Wait.MINUTES, "AgentUnreachable"),
  /** The agent refused the token or the permission. */
  ACCESS_DENIED(Count.KEEP, Wait.SLOW_CHECK, "AccessDenied"),
  /** Installing the program, selecting the stack or setting its configuration failed. */
  WORKSPACE_FAILED(Count.COUNT, Wait.COOLDOWN, "WorkspaceFailed"),
  /** The program failed: a result other than success, or a status of UNKNOWN. */
  OPERATION_FAILED(Count.COUNT, Wait.COOLDOWN, "UpdateFailed"),
  /** Somebody else holds the stack's lock. */
  UPDATE_CONFLICT(Count.KEEP, Wait.CONFLICT, "UpdateConflict"),
  /** The backend refused the access token. */
  INVALID_ACCESS_TOKEN(Count.COUNT, Wait.COOLDOWN, "InvalidAccessToken"),
  /** An earlier interruption left pending operations that a person has to settle. */
  PENDING_OPERATIONS(Count.KEEP, Wait.HOURLY, "PendingOperations"),
  /** The agent was busy with another operation, which has ended meanwhile. */
  BUSY(Count.KEEP, Wait.BUSY, "AgentBusy"),
  /** The stream closed with status OK and no result. */
  ENDED_WITHOUT_RESULT(Count.COUNT, Wait.COOLDOWN, "EndedWithoutResult"),
  /** The pod or the connection was lost while the operation ran. */
  INTERRUPTED(Count.FROM_THIRD, Wait.NONE, "Interrupted"),
  /** A person cancelled it. */
  CANCELLED(Count.KEEP, Wait.AT_LEAST_FIRST_COOLDOWN, "Cancelled"),
  /** No event came for the idle timeout; the operation was cancelled. */
  IDLE_TIMEOUT(Count.COUNT, Wait.COOLDOWN, "OperationIdle"),
  /** The operation ran longer than its timeout; it was cancelled. */
  TIMEOUT(Count.COUNT, Wait.COOLDOWN, "OperationTimeout"),
  /** The program's source did not answer when it was to be fetched. */
  SOURCE_UNAVAILABLE(Count.KEEP, Wait.SOURCE, "SourceUnavailable"),
  /** Something the user wrote, or a quota, stands in the way; time alone does not help. */
  INPUT_REFUSED(Count.KEEP, Wait.SLOW_CHECK, "SpecInvalid"),
  /** The Stack was no longer what the attempt had been decided on; nothing was sent. */
  SUPERSEDED(Count.KEEP, Wait.NONE, "Superseded");

  /** What an outcome does to the number of consecutive failures. */
  public enum Count {
    /** Back to zero. */
    RESET,
    /** One more. */
    COUNT,
    /** Unchanged. */
    KEEP,
    /** Unchanged twice in a row, one more from the third on. */
    FROM_THIRD
  }

  /** How long the next attempt waits, measured from the end of the last. */
  public enum Wait {
    /** Not at all. */
    NONE,
    /** The cooldown of the number of consecutive failures. */
    COOLDOWN,
    /** The same, at least the first one: a cancelled first attempt is not started again at once. */
    AT_LEAST_FIRST_COOLDOWN,
    /** 1 minute, 2, 4, then every 5. */
    MINUTES,
    /** 15 seconds four times, then every 60. */
    CONFLICT,
    /** Not at all, from the second time in a row on 15 seconds. */
    BUSY,
    /** 30 seconds, doubling to 5 minutes. */
    SOURCE,
    /** 5 minutes; usually something wakes the Stack before that. */
    SLOW_CHECK,
    /** One hour. */
    HOURLY
  }

  private final Count count;
  private final Wait wait;
  private final String reason;

  Outcome(Count count, Wait wait, String reason) {
    this.count = count;
    this.wait = wait;
    this.reason = reason;
  }

  /** What it does to the number of consecutive failures. */
  public Count count() {
    return count;
  }

  /** What the next attempt waits for when the outcome was counted as its table row says. */
  public Wait waiting() {
    return wait;
  }

  /** The CamelCase word for conditions, events and metrics. */
  public String reason() {
    return reason;
  }

  /**
   * Whether it raises the number of consecutive failures.
   *
   * @param inARow how many attempts in a row, this one included, ended this way
   */
  public boolean counted(int inARow) {
    return count == Count.COUNT || (count == Count.FROM_THIRD && inARow >= 3);
  }
}
