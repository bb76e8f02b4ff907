package dev.reprise.activities.report;

import dev.reprise.stack.status.Condition;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.condition.ConditionSet;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The whole status to be applied: a run's record, and what only the live object and Secrets know.
 */
final class StatusOf {
  private static final String SUCCEEDED = "succeeded";
  private static final String FAILED = "failed";

  private StatusOf() {}

  /**
   * @param live what the object shows now; outputs, project and transition times live only there
   * @param result the last update's Secret, where it is newly reported and there
   * @param success the last success's Secret, where newly reported and there
   */
  static StackStatus status(
      ReportInput input,
      StackStatus live,
      Optional<Secret> result,
      Optional<Secret> success,
      Instant now) {
    Map<String, JsonNode> outputs = success.map(ResultSecrets::outputs).orElse(live.outputs());
    ProjectInfo project =
        result
            .map(ResultSecrets::project)
            .filter(read -> !read.name().isEmpty())
            .orElse(live.projectInfo());
    boolean silent = input.generation() == 0;
    return new StackStatus(
        outputs,
        lastUpdate(input.state(), live.lastUpdate(), result),
        live.currentUpdate(),
        silent ? live.observedGeneration() : input.generation(),
        silent ? live.observedReconcileRequest() : input.reconcileRequest(),
        conditions(input, live.conditions(), now),
        project,
        retry(input));
  }

  private static List<Condition> conditions(ReportInput input, List<Condition> live, Instant now) {
    if (input.conditions().isEmpty() && !live.isEmpty()) {
      return live;
    }
    var all =
        input.conditions().isEmpty()
            ? ConditionSet.beforeAnything(input.paused())
            : input.conditions();
    List<Condition> shown = new ArrayList<>();
    for (var wanted : all) {
      String status = wanted.status() ? "True" : "False";
      Instant since =
          live.stream()
              .filter(c -> c.type().equals(wanted.type()) && c.status().equals(status))
              .map(Condition::lastTransitionTime)
              .filter(time -> time.isAfter(Instant.EPOCH))
              .findFirst()
              .orElse(now.truncatedTo(ChronoUnit.SECONDS));
      shown.add(
          new Condition(
              wanted.type(), status, wanted.reason(), wanted.message(), input.generation(), since));
    }
    return shown;
  }

  private static LastUpdate lastUpdate(StackState state, LastUpdate live, Optional<Secret> result) {
    var last = state.lastUpdate();
    if (!last.exists()) {
      return live;
    }
    String kept = last.name().equals(live.name()) ? live.message() : "";
    String message =
        result.map(ResultSecrets::message).filter(text -> !text.isEmpty()).orElse(kept);
    return new LastUpdate(
        last.generation(),
        last.reconcileRequest(),
        last.name(),
        last.kind().word(),
        last.succeeded() ? SUCCEEDED : FAILED,
        last.succeeded() ? "" : message.isEmpty() ? last.message() : message,
        last.attemptedRevision(),
        last.successfulRevision(),
        last.permalink(),
        last.endTime(),
        (long) state.failures());
  }

  private static RetryStatus retry(ReportInput input) {
    StackState state = input.state();
    return new RetryStatus(
        (long) state.failures(),
        (long) state.inARow(),
        (long) state.attempt(),
        state.upStarted(),
        attempt(state.last()),
        running(state.underway()),
        input.nextAttempt().isAfter(Instant.EPOCH) ? input.nextAttempt() : StackStatus.NO_TIME,
        input.nextWake(),
        state.hold(),
        !input.paused().isEmpty(),
        input.paused(),
        request(state.request()),
        new RetryStatus.Looked(input.looked().generation(), input.looked().reconcileRequest()),
        state.sequence(),
        input.policy());
  }

  private static RetryStatus.Attempt attempt(LastAttempt last) {
    return last.exists()
        ? new RetryStatus.Attempt(
            last.kind().word(),
            last.generation(),
            last.deletion(),
            last.reconcileRequest(),
            last.revision(),
            last.inputs(),
            last.update(),
            last.succeeded() ? SUCCEEDED : FAILED,
            last.succeeded() ? "" : last.outcome().reason(),
            last.message(),
            last.endTime())
        : RetryStatus.Attempt.NONE;
  }

  private static RetryStatus.Attempt running(Underway underway) {
    return underway.exists()
        ? new RetryStatus.Attempt(
            underway.kind().word(),
            underway.generation(),
            underway.deletion(),
            underway.reconcileRequest(),
            underway.revision(),
            underway.inputs(),
            underway.update(),
            "",
            "",
            "",
            StackStatus.NO_TIME)
        : RetryStatus.Attempt.NONE;
  }

  private static RetryStatus.Request request(PendingRetry request) {
    return request.present()
        ? new RetryStatus.Request(
            request.reason().isEmpty() ? "requested" : request.reason(),
            request.resetFailures(),
            StackStatus.NO_TIME)
        : RetryStatus.Request.NONE;
  }
}
