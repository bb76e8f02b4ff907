package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.ReportActivity.ReportOutput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Mirrors the run's state on the Stack without ever holding up a decision: at most one report is
 * under way, and of those that wait behind it only the newest is sent.
 */
final class Reporter {
  private static final int MOST_EVENTS = 10;
  private static final Duration NORMAL_REPORT = Duration.ofSeconds(5);

  private final RunActivities activities;
  private Optional<ReportInput> waiting = Optional.empty();
  private Optional<ReportInput> offered = Optional.empty();
  private Optional<Pending<ReportOutput>> pending = Optional.empty();
  private List<StackEvent> failedEvents = List.of();
  private boolean busy;
  private long confirmed;

  Reporter(RunActivities activities) {
    this.activities = activities;
  }

  /** The report offered last; its {@code nextWake} is a promise to keep. */
  Optional<ReportInput> offered() {
    return offered;
  }

  /** The number of the newest report that is known to be written. */
  long confirmed() {
    return confirmed;
  }

  void offer(ReportInput report) {
    List<StackEvent> earlier = new ArrayList<>(failedEvents);
    earlier.addAll(waiting.map(ReportInput::events).orElse(List.of()));
    failedEvents = List.of();
    ReportInput whole = withEvents(report, earlier);
    offered = Optional.of(report);
    waiting = Optional.of(whole);
    if (!busy) {
      sendWaiting();
    }
  }

  /**
   * Ends what is under way, so that the run can close; the next one reports anew. A report normally
   * takes milliseconds and is waited for; only one that is backing off is cancelled.
   *
   * @return events that were not emitted
   */
  List<StackEvent> settle() {
    List<StackEvent> unsent = new ArrayList<>(waiting.map(ReportInput::events).orElse(List.of()));
    waiting = Optional.empty();
    Waits.until(Waits.now().plus(NORMAL_REPORT), "the last status write", () -> !busy);
    if (busy) {
      pending.ifPresent(report -> report.cancel("the run continues as new"));
      Workflow.await(() -> !busy);
    }
    unsent.addAll(0, failedEvents);
    return unsent;
  }

  /** Waits until everything offered is written, or the limit has passed. */
  void flush(Duration limit) {
    Instant end = Waits.now().plus(limit);
    Waits.until(end, "writing the last status", () -> !busy && waiting.isEmpty());
  }

  private void sendWaiting() {
    ReportInput report = waiting.orElseThrow();
    waiting = Optional.empty();
    busy = true;
    pending =
        Optional.of(
            Pending.startDetached(
                () -> Async.function(activities.report(Summaries.report(report))::report, report)));
    Promise<Boolean> unused =
        pending
            .orElseThrow()
            .promise()
            .handle(
                (output, failure) -> {
                  settled(report, failure == null);
                  return true;
                });
  }

  private void settled(ReportInput report, boolean answered) {
    busy = false;
    if (answered) {
      confirmed = report.state().sequence();
    } else {
      failedEvents = report.events();
    }
    if (waiting.isPresent()) {
      sendWaiting();
    }
  }

  private static ReportInput withEvents(ReportInput report, List<StackEvent> earlier) {
    if (earlier.isEmpty()) {
      return report;
    }
    List<StackEvent> all = new ArrayList<>(earlier);
    all.addAll(report.events());
    List<StackEvent> newest = all.subList(Math.max(0, all.size() - MOST_EVENTS), all.size());
    return new ReportInput(
        report.stack(),
        report.looked(),
        report.generation(),
        report.reconcileRequest(),
        report.conditions(),
        report.state(),
        report.paused(),
        report.policy(),
        report.nextAttempt(),
        report.nextWake(),
        List.copyOf(newest));
  }
}
