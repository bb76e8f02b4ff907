package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.condition.ConditionSet;
import dev.reprise.workflows.condition.Phase;
import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.StackDecider;
import dev.reprise.workflows.decision.StackState;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Shows where a run stands: on the Stack, in the Web UI, and to queries. */
final class Display {
  private final StackRun run;
  private final Reporter reporter;
  private final RunSearchAttributes searchAttributes;
  private final List<StackEvent> events = new ArrayList<>();
  private StackView view;
  private Phase phase = Phase.PREPARING;
  private boolean again;
  private String invalid = "";

  Display(StackRun run, Reporter reporter) {
    this.run = run;
    this.reporter = reporter;
    this.searchAttributes = new RunSearchAttributes(run);
    this.events.addAll(run.events());
    this.view =
        new StackView(
            run.stack().toString(),
            run.generation(),
            "Starting",
            run.state() == null ? 0 : run.state().attempt(),
            run.state() == null ? 0 : run.state().failures(),
            "",
            "looking at the Stack for the first time",
            "");
  }

  StackView view() {
    return view;
  }

  Phase phase() {
    return phase;
  }

  /** What has not been offered to be told yet. */
  List<StackEvent> untold() {
    return List.copyOf(events);
  }

  /** The object does not show what was confirmed: write it again. */
  void again() {
    again = true;
  }

  /** Something to tell as a Kubernetes event with the next report. */
  void event(StackEvent event) {
    events.add(event);
  }

  /** The Stack cannot be read, so nothing can be written on it either. */
  void unreadable(String detail) {
    view =
        new StackView(
            view.stack(),
            view.generation(),
            "Unreadable",
            view.attempt(),
            view.failures(),
            view.lastResult(),
            detail,
            "");
    Workflow.setCurrentDetails(RunDetails.of(view));
  }

  /**
   * Shows a situation.
   *
   * @param nextWake when the run will show it again at the latest
   * @return the state, with the number of the report if one was needed
   */
  StackState show(Observation seen, StackState state, Situation situation, Instant nextWake) {
    return show(seen, state, state, situation, nextWake);
  }

  /**
   * The same, where what people see is not yet what a successor should go on with.
   *
   * @param recorded the state for the record
   * @return the recorded state, with the number of the report if one was needed
   */
  StackState show(
      Observation seen,
      StackState state,
      StackState recorded,
      Situation situation,
      Instant nextWake) {
    tellInvalid(situation);
    view(seen, state, situation);
    searchAttributes.show(seen, state, situation);
    return report(seen, recorded, situation, nextWake);
  }

  /** Once for each thing that is wrong with what its user wrote, however often it is seen. */
  private void tellInvalid(Situation situation) {
    boolean wrong =
        situation.reason().equals(Outcome.INPUT_REFUSED.reason()) && !situation.attemptPlanned();
    if (wrong && !situation.message().equals(invalid)) {
      event(new StackEvent(true, "StackConfigInvalid", situation.message()));
    }
    invalid = wrong ? situation.message() : "";
  }

  /** Shows a situation to those who ask, which costs nothing. */
  void view(Observation seen, StackState state, Situation situation) {
    phase = situation.phase();
    StackView before = view;
    view =
        new StackView(
            run.stack().toString(),
            seen.generation(),
            situation.phase().word(),
            state.attempt(),
            state.failures(),
            state.last().exists() ? state.last().outcome().name() : "",
            situation.message(),
            situation.attemptPlanned() ? situation.nextAttempt().toString() : "");
    Workflow.setCurrentDetails(RunDetails.of(view));
    RunLog.phase(run.stack(), before, view);
  }

  private StackState report(
      Observation seen, StackState state, Situation situation, Instant nextWake) {
    ReportInput report = input(seen, state, situation, nextWake);
    if (events.isEmpty() && !again && alreadyShown(report)) {
      return state;
    }
    again = false;
    StackState numbered = state.reported(state.sequence() + 1);
    reporter.offer(input(seen, numbered, situation, nextWake));
    events.clear();
    return numbered;
  }

  /**
   * Whether the last report says the same and its promise to write again still holds. The epoch
   * promises nothing, and says so.
   */
  private boolean alreadyShown(ReportInput report) {
    return report.nextWake().isAfter(Instant.EPOCH)
        && reporter
            .offered()
            .filter(before -> before.nextWake().isAfter(Waits.now()))
            .filter(before -> content(before).equals(content(report)))
            .isPresent();
  }

  private static ReportInput content(ReportInput report) {
    return new ReportInput(
        report.stack(),
        report.looked(),
        report.generation(),
        report.reconcileRequest(),
        report.conditions(),
        report.state().content(),
        report.paused(),
        report.policy(),
        report.nextAttempt(),
        Instant.EPOCH,
        List.of());
  }

  private ReportInput input(
      Observation seen, StackState state, Situation situation, Instant nextWake) {
    boolean unchanged = situation.phase().story() == Phase.Story.UNCHANGED;
    return new ReportInput(
        run.stack(),
        new Looked(seen.generation(), seen.reconcileRequest()),
        unchanged ? 0 : seen.generation(),
        actedOn(seen, state, situation.phase()),
        ConditionSet.of(situation),
        state,
        seen.deleting() || operating(situation.phase()) ? "" : StackDecider.pause(seen, state),
        seen.policy().shown(),
        situation.nextAttempt(),
        nextWake,
        List.copyOf(events));
  }

  /**
   * The force token is echoed once an attempt is made for it, not before. An operation that
   * outlived its run was begun for an earlier one than is seen now.
   */
  private static String actedOn(Observation seen, StackState state, Phase phase) {
    if (state.underway().exists()) {
      return state.underway().reconcileRequest();
    }
    return operating(phase) ? seen.reconcileRequest() : state.last().reconcileRequest();
  }

  /** A hold begins once the running operation has ended. */
  private static boolean operating(Phase phase) {
    return switch (phase) {
      case PREPARING, RUNNING, CANCELLING -> true;
      default -> false;
    };
  }
}
