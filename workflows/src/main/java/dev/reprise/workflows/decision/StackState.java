package dev.reprise.workflows.decision;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
 * @param underway the operation whose end is not known yet
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
    Underway underway,
    long sequence) {

  /** A Stack nothing is known of. */
  public static final StackState EMPTY =
      new StackState(
          0,
          0,
          0,
          0,
          false,
          LastAttempt.NONE,
          LastUpdate.NONE,
          "",
          PendingRetry.NONE,
          Underway.NONE,
          0);

  /** Tolerates what an earlier worker carried over, which knew of no operation under way. */
  public StackState(
      int failures,
      int inARow,
      int obstacleInARow,
      int attempt,
      boolean upStarted,
      LastAttempt last,
      LastUpdate lastUpdate,
      String hold,
      PendingRetry request,
      @Nullable Underway underway,
      long sequence) {
    this.failures = failures;
    this.inARow = inARow;
    this.obstacleInARow = obstacleInARow;
    this.attempt = attempt;
    this.upStarted = upStarted;
    this.last = last;
    this.lastUpdate = lastUpdate;
    this.hold = hold;
    this.request = request;
    this.underway = underway == null ? Underway.NONE : underway;
    this.sequence = sequence;
  }

  /**
   * The state once the attempt begins: a cause that forgives starts counting at zero, and the
   * request, if there was one, is obeyed by it.
   */
  public StackState beginning(Decision.Run run) {
    Draft draft = new Draft(this);
    if (run.resetsFailures()) {
      draft.failures = 0;
      draft.inARow = 0;
      draft.attempt = 0;
    }
    draft.attempt++;
    draft.obstacleInARow = 0;
    draft.request = PendingRetry.NONE;
    return draft.state();
  }

  /** The same once an up is about to be sent. */
  public StackState upStarting() {
    Draft draft = new Draft(this);
    draft.upStarted = true;
    return draft.state();
  }

  /** The same with an operation that is being asked of the agent. */
  public StackState operating(Underway operation) {
    Draft draft = new Draft(this);
    draft.underway = operation;
    return draft.state();
  }

  /** The state after an attempt that ended; not to be called for a superseded one. */
  public StackState ended(LastAttempt ended, LastUpdate update) {
    Draft draft = new Draft(this);
    boolean again = last.exists() && last.outcome() == ended.outcome();
    draft.inARow = again ? inARow + 1 : 1;
    if (ended.succeeded()) {
      draft.failures = 0;
      draft.attempt = 0;
    } else if (ended.outcome().counted(draft.inARow)) {
      draft.failures++;
    }
    draft.last = ended;
    draft.underway = Underway.NONE;
    draft.lastUpdate = update;
    return draft.state();
  }

  /** The same with another hold; "" ends it. */
  public StackState held(String reason) {
    Draft draft = new Draft(this);
    draft.hold = reason;
    return draft.state();
  }

  /** The same with a request added to the one that may be there. */
  public StackState requested(PendingRetry later) {
    Draft draft = new Draft(this);
    draft.request = request.and(later);
    return draft.state();
  }

  /** The same with the number of a newly issued report. */
  public StackState reported(long number) {
    Draft draft = new Draft(this);
    draft.sequence = number;
    return draft.state();
  }

  /**
   * The same after one more observation: obstacles in a row are counted, and a digest of inputs
   * that could not be compared with the old one is adopted silently.
   */
  public StackState seeing(Observation seen) {
    Draft draft = new Draft(this);
    draft.obstacleInARow = seen.obstacle().exists() ? obstacleInARow + 1 : 0;
    if (last.exists()
        && !seen.inputs().isEmpty()
        && !InputsDigest.comparable(last.inputs(), seen.inputs())) {
      draft.last = last.withInputs(seen.inputs());
    }
    return draft.state();
  }

  /** The same without what changes from one look to the next, to compare what people see. */
  public StackState content() {
    Draft draft = new Draft(this);
    draft.obstacleInARow = 0;
    draft.sequence = 0;
    return draft.state();
  }

  /** Whether the failure limit keeps time from starting the next attempt. */
  public boolean stopped(RetryPolicy policy) {
    // What went wrong on the way of the attempt a person asked for is retried all the same.
    return policy.failureLimit() > 0
        && failures >= policy.failureLimit()
        && (last.outcome().counted(inARow) || last.outcome() == Outcome.CANCELLED);
  }

  /** When the wait after the last attempt is over; only asked of one that failed. */
  public Instant retryAt(RetryPolicy policy) {
    return last.endTime().plus(Cooldown.of(last.outcome(), inARow, failures, policy));
  }

  /** A copy being changed. */
  private static final class Draft {
    private int failures;
    private int inARow;
    private int obstacleInARow;
    private int attempt;
    private boolean upStarted;
    private LastAttempt last;
    private LastUpdate lastUpdate;
    private String hold;
    private PendingRetry request;
    private Underway underway;
    private long sequence;

    Draft(StackState from) {
      failures = from.failures;
      inARow = from.inARow;
      obstacleInARow = from.obstacleInARow;
      attempt = from.attempt;
      upStarted = from.upStarted;
      last = from.last;
      lastUpdate = from.lastUpdate;
      hold = from.hold;
      request = from.request;
      underway = from.underway;
      sequence = from.sequence;
    }

    StackState state() {
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
          underway,
          sequence);
    }
  }
}
