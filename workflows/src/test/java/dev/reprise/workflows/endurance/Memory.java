package dev.reprise.workflows.endurance;

import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.endurance.Journal.Ask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a Stack's run should remember, worked out from what happened and from the documented rules,
 * without the workflow's own code.
 *
 * @param failures counted failures in a row
 * @param inARow attempts in a row that ended as the last one did
 * @param outcome how the last attempt ended
 * @param ask what the last attempt ran on; generation 0 = there was none
 * @param end when it ended, or a moment before
 * @param sure a retry the next attempt obeys
 * @param late a retry that came too late for some attempt, which cannot be told
 * @param doing what the operation under way runs on; generation 0 = there is none
 * @param update the name of the last operation
 */
record Memory(
    int failures,
    int inARow,
    Outcome outcome,
    Ask ask,
    Instant end,
    Wish sure,
    Wish late,
    Ask doing,
    String update) {
  static final Memory NOTHING =
      new Memory(
          0,
          0,
          Outcome.SUPERSEDED,
          Ask.NOTHING,
          Instant.EPOCH,
          Wish.NONE,
          Wish.NONE,
          Ask.NOTHING,
          "");

  /** A retry somebody asked for. */
  enum Wish {
    NONE,
    KEEPING,
    RESETTING;

    Wish and(Wish other) {
      return compareTo(other) > 0 ? this : other;
    }
  }

  /** The one a status tells of. */
  static Memory of(StackState state) {
    LastAttempt last = state.last();
    var doing = state.underway();
    Wish wish =
        state.request().resetFailures()
            ? Wish.RESETTING
            : state.request().present() ? Wish.KEEPING : Wish.NONE;
    return new Memory(
        state.failures(),
        state.inARow(),
        last.outcome(),
        new Ask(
            last.kind(),
            last.generation(),
            last.deletion(),
            last.reconcileRequest(),
            last.revision(),
            last.inputs()),
        last.endTime(),
        wish,
        Wish.NONE,
        new Ask(
            doing.kind(),
            doing.generation(),
            doing.deletion(),
            doing.reconcileRequest(),
            doing.revision(),
            doing.inputs()),
        doing.exists() ? doing.update() : last.update());
  }

  boolean busy() {
    return doing.generation() > 0;
  }

  Wish wished() {
    return sure.and(late);
  }

  Memory asked(Wish wish) {
    return wishing(sure, late.and(wish));
  }

  /** Whatever was asked for so far is obeyed by the next operation. */
  Memory taken() {
    return wishing(wished(), Wish.NONE);
  }

  private Memory wishing(Wish newSure, Wish newLate) {
    return new Memory(failures, inARow, outcome, ask, end, newSure, newLate, doing, update);
  }

  /** The memories once an attempt has begun; none if nothing explains it. */
  List<Memory> begun(Ask wanted, Instant at, String name, RetryPolicy policy, Duration resync) {
    List<Memory> begun = new ArrayList<>();
    if (!busy()) {
      obeying(wanted, at, name, policy, resync, wished(), Wish.NONE, begun);
      if (late != Wish.NONE) {
        obeying(wanted, at, name, policy, resync, sure, late, begun);
      }
    }
    return begun;
  }

  private void obeying(
      Ask wanted,
      Instant at,
      String name,
      RetryPolicy policy,
      Duration resync,
      Wish obeyed,
      Wish left,
      List<Memory> begun) {
    boolean fresh = ask.generation() == 0 || ask.differs(wanted);
    if (!fresh && obeyed == Wish.NONE && !due(at, policy, resync)) {
      return;
    }
    boolean anew = fresh || obeyed == Wish.RESETTING || outcome == Outcome.SUCCEEDED;
    begun.add(
        new Memory(
            anew ? 0 : failures,
            anew ? 0 : inARow,
            outcome,
            ask,
            end,
            Wish.NONE,
            left,
            wanted,
            name));
  }

  private boolean due(Instant at, RetryPolicy policy, Duration resync) {
    if (outcome == Outcome.SUCCEEDED) {
      return !ask.deletion() && !resync.isZero() && !at.isBefore(end.plus(resync));
    }
    boolean stops = counts(outcome, inARow) || outcome == Outcome.CANCELLED;
    if (!ask.deletion()
        && policy.failureLimit() > 0
        && failures >= policy.failureLimit()
        && stops) {
      return false;
    }
    return !at.isBefore(end.plus(pause(policy)));
  }

  private Duration pause(RetryPolicy policy) {
    if (counts(outcome, inARow)) {
      return cooldown(failures, policy);
    }
    return switch (outcome) {
      case INTERRUPTED -> Duration.ZERO;
      case UPDATE_CONFLICT -> Duration.ofSeconds(inARow <= 4 ? 15 : 60);
      case UNREACHABLE -> Duration.ofMinutes(List.of(1, 2, 4, 5).get(Math.min(inARow, 4) - 1));
      case CANCELLED -> cooldown(Math.max(1, failures), policy);
      case PENDING_OPERATIONS -> Duration.ofHours(1);
      default -> throw new AssertionError("no script ends an attempt as " + outcome);
    };
  }

  private static Duration cooldown(int failures, RetryPolicy policy) {
    Duration wait = policy.initialBackoff();
    for (int i = 1; i < failures && wait.compareTo(policy.maxBackoff()) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(policy.maxBackoff()) < 0 ? wait : policy.maxBackoff();
  }

  private static boolean counts(Outcome outcome, int inARow) {
    return switch (outcome) {
      case OPERATION_FAILED, WORKSPACE_FAILED, IDLE_TIMEOUT -> true;
      case INTERRUPTED -> inARow >= 3;
      default -> false;
    };
  }

  /** The memory once the attempt under way has ended. */
  Memory ended(Outcome how, Instant at) {
    int row = how == outcome && inARow > 0 && ask.generation() > 0 ? inARow + 1 : 1;
    int count = how == Outcome.SUCCEEDED ? 0 : counts(how, row) ? failures + 1 : failures;
    return new Memory(count, row, how, doing, at, sure, late, Ask.NOTHING, update);
  }
}
