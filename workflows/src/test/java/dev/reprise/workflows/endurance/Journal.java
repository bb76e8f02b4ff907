package dev.reprise.workflows.endurance;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.StackState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What happened to a Stack while a script was played, in one order. */
final class Journal {
  private final List<Entry> entries = new ArrayList<>();

  /** What an attempt runs on. */
  record Ask(
      OperationKind kind,
      long generation,
      boolean deletion,
      String token,
      String revision,
      String inputs) {
    static final Ask NOTHING = new Ask(OperationKind.UP, 0, false, "", "", "");

    /** What a look at the Stack asks for. */
    static Ask of(Observation seen) {
      OperationKind kind = seen.deleting() ? OperationKind.DESTROY : seen.kind();
      return new Ask(
          kind,
          seen.generation(),
          seen.deleting(),
          seen.reconcileRequest(),
          seen.revision(),
          seen.inputs());
    }

    /** Whether an attempt on the other leaves this one still to be made. */
    boolean differs(Ask other) {
      return kind != other.kind
          || generation != other.generation
          || deletion != other.deletion
          || !token.equals(other.token)
          || (!deletion && !(revision.equals(other.revision) && inputs.equals(other.inputs)));
    }
  }

  /** One thing that happened. */
  sealed interface Entry {
    Instant at();
  }

  /** A step of the script, or what the player does as the watcher would. */
  record Did(Instant at, String what) implements Entry {}

  /** Somebody is about to ask for a retry. */
  record Asking(Instant at, boolean resetting) implements Entry {}

  /** The run has got that, or there was none. */
  record Asked(Instant at, boolean reached) implements Entry {}

  /** The run has been told to hold, or is about to be told to resume. */
  record Held(Instant at, boolean on) implements Entry {}

  /** The run looked, and saw nothing on the Stack that keeps it from acting. */
  record Saw(Instant at, Ask ask) implements Entry {}

  /** The run looked, and saw something on the Stack that keeps it from acting. */
  record Kept(Instant at) implements Entry {}

  /** A workspace is being prepared. */
  record Preparing(Instant at, Ask ask) implements Entry {}

  /** A workspace was ready. */
  record Prepared(Instant at) implements Entry {}

  /**
   * A workspace was not.
   *
   * @param disturbed something happened since the look this was decided on
   */
  record NotPrepared(Instant at, Ask ask, Outcome outcome, boolean disturbed) implements Entry {}

  /** The agent began an operation. */
  record Sent(Instant at, Ask ask, String update) implements Entry {}

  /**
   * A run was told how an operation ended.
   *
   * @param found it had asked for one it had lost sight of
   */
  record Ended(Instant at, String update, Outcome outcome, boolean found) implements Entry {}

  /** The run was lost with all it had not told; its successor is about to start. */
  record Lost(Instant at) implements Entry {}

  /** The successor knows what the status shows. */
  record Seeded(Instant at, StackState state) implements Entry {}

  /** The status was written. */
  record Reported(Instant at, ReportInput report) implements Entry {
    @Override
    public String toString() {
      var state = report.state();
      return "Reported[at=%s, #%d, generation %d, token %s, failures %d, last %s, %s%s%s]"
          .formatted(
              at,
              state.sequence(),
              report.generation(),
              report.reconcileRequest(),
              state.failures(),
              state.last().outcome(),
              report.conditions().isEmpty() ? "-" : report.conditions().getLast().message(),
              state.hold().isEmpty() ? "" : ", held",
              state.request().present() ? ", asked" : "");
    }
  }

  /** The finalizer was taken off. */
  record Released(Instant at, boolean destroyOnDelete) implements Entry {}

  /** Something that must never happen. */
  record Wrong(Instant at, String what) implements Entry {}

  synchronized void add(Entry entry) {
    entries.add(entry);
  }

  synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  /** Whether anything came from outside since then. */
  boolean disturbedSince(Instant then) {
    return entries().stream()
        .filter(entry -> entry instanceof Did || entry instanceof Asking)
        .anyMatch(entry -> !entry.at().isBefore(then));
  }
}
