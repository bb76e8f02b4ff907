package dev.reprise.workflows.decision;

import java.time.Instant;
import java.util.List;

/** What a Stack needs next. */
public sealed interface Decision {

  /**
   * Make an attempt now.
   *
   * @param why the cause in words, and who asked where that is known
   */
  record Run(OperationKind kind, Cause cause, boolean resetsFailures, String why)
      implements Decision {

    /** One whose cause says it all. */
    public Run(OperationKind kind, Cause cause, boolean resetsFailures) {
      this(kind, cause, resetsFailures, cause.text());
    }
  }

  /** Follow an operation to its end that a run which was lost left under way. */
  record Follow(Underway operation) implements Decision {}

  /** Take our finalizer off: nothing is left to destroy. */
  record Release() implements Decision {}

  /** Wait, at most until {@link #until()}, unless something wakes the run before. */
  sealed interface Wait extends Decision {
    /** When to look again. */
    Instant until();
  }

  /** All is as it should be. */
  record InSync(Instant until) implements Wait {}

  /** The last attempt failed; the next one starts at {@code until}. */
  record CoolingDown(Instant until) implements Wait {}

  /** The failure limit is reached; time alone starts nothing. */
  record Stopped(Instant until) implements Wait {}

  /** A person paused or holds the Stack. */
  record Paused(String reason, Instant until) implements Wait {}

  /** Something is in the way of any operation. */
  record Blocked(Obstacle obstacle, Instant until) implements Wait {}

  /**
   * An attempt is due, but other Stacks have to succeed before it.
   *
   * @param waitingFor a short sentence for each that is not satisfied
   * @param outOfDate those of them to be asked to run
   */
  record AwaitingPrerequisites(List<String> waitingFor, List<RunRequest> outOfDate, Instant until)
      implements Wait {}

  /** Deletion goes on elsewhere: our finalizer is off, somebody else's is not. */
  record Released(Instant until) implements Wait {}
}
