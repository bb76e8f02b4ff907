package dev.reprise.workflows.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides what a Stack needs next. The first rule that holds wins; see {@code docs/decisions.md}.
 */
public final class StackDecider {
  private static final Duration LOOK_HOURLY = Duration.ofHours(1);
  private static final Duration SLOW_CHECK = Duration.ofMinutes(5);

  /** The reason of the condition Stalled where prerequisites wait for each other. */
  public static final String PREREQUISITE_CYCLE = "PrerequisiteCycle";

  private StackDecider() {}

  /**
   * The next step.
   *
   * @param seen a Stack that is present
   * @param state what its runs remember
   * @param spread the Stack's place in what comes round regularly
   */
  public static Decision decide(Observation seen, StackState state, Instant now, Spread spread) {
    if (state.underway().exists()) {
      return new Decision.Follow(state.underway());
    }
    if (seen.deleting()) {
      return deleting(seen, state, now, spread);
    }
    String pause = pause(seen, state);
    if (!pause.isEmpty()) {
      return new Decision.Paused(pause, now.plus(LOOK_HOURLY));
    }
    if (seen.obstacle().exists()) {
      return blocked(seen.obstacle(), state, now);
    }
    Optional<Cause> cause = cause(seen, state, seen.kind(), now, spread);
    if (cause.isEmpty()) {
      return waiting(seen, state, now, spread);
    }
    return seen.waitingFor().nothing() || !asksPrerequisites(seen.kind())
        ? run(seen, seen.kind(), cause.get(), state)
        : waitingFor(seen.waitingFor(), state, now);
  }

  /** What takes nothing new from other Stacks does not wait for them. */
  private static boolean asksPrerequisites(OperationKind kind) {
    return switch (kind) {
      case UP, PREVIEW -> true;
      case REFRESH, DESTROY -> false;
    };
  }

  /** Why the Stack is paused, by its annotation or by a person's hold; "" when it is not. */
  public static String pause(Observation seen, StackState state) {
    return seen.pause().isEmpty() ? state.hold() : seen.pause();
  }

  private static Decision deleting(Observation seen, StackState state, Instant now, Spread spread) {
    if (!seen.finalizer()) {
      return new Decision.Released(now.plus(LOOK_HOURLY));
    }
    LastAttempt last = state.last();
    boolean destroyed = last.succeeded() && last.deletion() && last.kind() == OperationKind.DESTROY;
    boolean upMayHaveStarted = seen.upMayHaveStarted() || state.upStarted();
    if (destroyed || !seen.destroyOnDelete() || !upMayHaveStarted) {
      return new Decision.Release();
    }
    if (!last.deletion()) {
      return run(seen, OperationKind.DESTROY, Cause.DELETION, state);
    }
    return cause(seen, state, OperationKind.DESTROY, now, spread)
        .<Decision>map(cause -> run(seen, OperationKind.DESTROY, cause, state))
        .orElseGet(() -> new Decision.CoolingDown(state.retryAt(seen.policy().retry())));
  }

  private static Optional<Cause> cause(
      Observation seen, StackState state, OperationKind kind, Instant now, Spread spread) {
    LastAttempt last = state.last();
    if (!last.exists()) {
      return Optional.of(Cause.FIRST);
    }
    if (last.kind() != kind) {
      return Optional.of(Cause.KIND);
    }
    if (last.generation() != seen.generation()) {
      return Optional.of(Cause.GENERATION);
    }
    if (!last.reconcileRequest().equals(seen.reconcileRequest())) {
      return Optional.of(Cause.RECONCILE_REQUEST);
    }
    if (!seen.deleting() && !last.revision().equals(seen.revision())) {
      return Optional.of(Cause.REVISION);
    }
    if (!seen.deleting() && InputsDigest.differ(last.inputs(), seen.inputs())) {
      return Optional.of(Cause.INPUTS);
    }
    if (state.request().present()) {
      return Optional.of(Cause.RETRY_NOW);
    }
    return last.succeeded() ? resync(seen, last, now, spread) : retry(seen, state, now);
  }

  private static Optional<Cause> resync(
      Observation seen, LastAttempt last, Instant now, Spread spread) {
    Duration every = seen.policy().resync();
    boolean due = !every.isZero() && !now.isBefore(spread.resync(last.endTime(), every));
    return due ? Optional.of(Cause.RESYNC) : Optional.empty();
  }

  private static Optional<Cause> retry(Observation seen, StackState state, Instant now) {
    RetryPolicy policy = seen.policy().retry();
    if (!seen.deleting() && state.stopped(policy)) {
      return Optional.empty();
    }
    return now.isBefore(state.retryAt(policy))
        ? Optional.empty()
        : Optional.of(Cause.COOLDOWN_OVER);
  }

  private static Decision waiting(Observation seen, StackState state, Instant now, Spread spread) {
    Instant idleUntil = spread.idle(now);
    RetryPolicy policy = seen.policy().retry();
    if (!state.last().succeeded()) {
      return state.stopped(policy)
          ? new Decision.Stopped(idleUntil)
          : new Decision.CoolingDown(state.retryAt(policy));
    }
    Duration resync = seen.policy().resync();
    Instant next = spread.resync(state.last().endTime(), resync);
    return new Decision.InSync(!resync.isZero() && next.isBefore(idleUntil) ? next : idleUntil);
  }

  private static Decision waitingFor(WaitingFor others, StackState state, Instant now) {
    return others.cycle().isEmpty()
        ? new Decision.AwaitingPrerequisites(
            others.sentences(), others.outOfDate(), now.plus(SLOW_CHECK))
        : blocked(Obstacle.input(PREREQUISITE_CYCLE, others.cycle()), state, now);
  }

  private static Decision blocked(Obstacle obstacle, StackState state, Instant now) {
    Duration wait =
        obstacle.kind() == Obstacle.Kind.SOURCE
            ? Cooldown.ofSource(state.obstacleInARow())
            : SLOW_CHECK;
    return new Decision.Blocked(obstacle, now.plus(wait));
  }

  private static Decision run(Observation seen, OperationKind kind, Cause cause, StackState state) {
    boolean asked = state.request().present() && state.request().resetFailures();
    boolean told = cause == Cause.RECONCILE_REQUEST && !seen.reconcileReason().isEmpty();
    return new Decision.Run(
        kind,
        cause,
        cause.resetsFailures() || asked,
        told ? cause.text() + ": " + seen.reconcileReason() : cause.text());
  }
}
