package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.PrerequisiteActivity.RequestInput;
import dev.reprise.workflows.activity.PrerequisiteActivity.RequestOutput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Decision.AwaitingPrerequisites;
import dev.reprise.workflows.decision.RunRequest;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Asks prerequisites that are out of date to run. Not at first sight: what made this Stack due, a
 * new commit or the hour, often makes them run by themselves a moment later, and a request that
 * arrives during such a run causes another.
 */
final class RunRequests {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final StackRef stack;
  private final RunActivities activities;
  private final Display display;
  private SortedMap<String, Instant> since = new TreeMap<>();

  RunRequests(StackRef stack, RunActivities activities, Display display) {
    this.stack = stack;
    this.activities = activities;
    this.display = display;
  }

  /**
   * Makes those that are due.
   *
   * @return the same wait, ending when the next request is due, and telling of those that cannot be
   *     made
   */
  AwaitingPrerequisites make(AwaitingPrerequisites awaiting) {
    Instant now = Waits.now();
    Instant until = awaiting.until();
    SortedMap<String, Instant> seen = new TreeMap<>();
    List<RunRequest> due = new ArrayList<>();
    for (RunRequest request : awaiting.outOfDate()) {
      String key = request.name() + "/" + request.update();
      Instant first = since.getOrDefault(key, now);
      seen.put(key, first);
      Instant patientUntil = first.plus(PATIENCE);
      if (!now.isBefore(patientUntil)) {
        due.add(request);
      } else if (patientUntil.isBefore(until)) {
        until = patientUntil;
      }
    }
    since = seen;
    List<String> sentences = new ArrayList<>(awaiting.waitingFor());
    if (!due.isEmpty()) {
      sentences.addAll(ask(due));
    }
    return new AwaitingPrerequisites(List.copyOf(sentences), awaiting.outOfDate(), until);
  }

  /** Returns what keeps them from being asked. */
  private List<String> ask(List<RunRequest> due) {
    try {
      String names = due.stream().map(RunRequest::name).collect(Collectors.joining(", "));
      RequestOutput output =
          activities
              .prerequisites("ask to run again: " + names)
              .requestRuns(new RequestInput(stack, due));
      if (!output.asked().isEmpty()) {
        display.event(
            new StackEvent(
                false,
                "PrerequisiteRequested",
                "asked to run again: " + String.join(", ", output.asked())));
      }
      return output.problems();
    } catch (ActivityFailure failure) {
      if (failure.getCause() instanceof CanceledFailure) {
        throw failure;
      }
      // The wait goes on, and its end looks and asks again.
      return List.of("they could not be asked to run: the API server refuses or does not answer");
    }
  }
}
