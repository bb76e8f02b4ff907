package dev.reprise.activities.observe;

import dev.reprise.activities.kube.Texts;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import java.time.Instant;

/** Reads a run's memory back from the Stack's status. */
final class Seed {
  private static final String SUCCEEDED = "succeeded";

  private Seed() {}

  /**
   * The state the status tells of: from Reprise's own record, else from the Pulumi Kubernetes
   * Operator's fields, which count the first failure of a generation as 0 and know no inputs.
   *
   * @param upMayHaveStarted whether anything speaks for an earlier up
   */
  static StackState of(StackIdentity identity, StackStatus status, boolean upMayHaveStarted) {
    LastUpdate update = lastUpdate(status.lastUpdate());
    RetryStatus retry = status.retry();
    if (retry.equals(RetryStatus.NONE)) {
      boolean failed = update.exists() && !update.succeeded();
      int failures = failed ? Math.max(1, status.lastUpdate().failures().intValue()) : 0;
      return new StackState(
          failures,
          update.exists() ? 1 : 0,
          0,
          failures,
          upMayHaveStarted,
          attempt(identity, update),
          update,
          "",
          PendingRetry.NONE,
          Underway.NONE,
          0);
    }
    RetryStatus.Request request = retry.request();
    return new StackState(
        retry.failures().intValue(),
        inARow(retry),
        0,
        retry.attempt().intValue(),
        retry.upStarted(),
        attempt(identity, retry.last()),
        update,
        retry.hold(),
        request.equals(RetryStatus.Request.NONE)
            ? PendingRetry.NONE
            : PendingRetry.of(request.resetFailures(), request.reason()),
        underway(retry.running()),
        retry.sequence());
  }

  /** An earlier writer did not tell it. */
  private static int inARow(RetryStatus retry) {
    boolean attempted = !retry.last().equals(RetryStatus.Attempt.NONE);
    return Math.max(attempted ? 1 : 0, retry.inARow().intValue());
  }

  private static LastUpdate lastUpdate(dev.reprise.stack.status.LastUpdate shown) {
    if (shown.generation() <= 0) {
      return LastUpdate.NONE;
    }
    boolean succeeded = SUCCEEDED.equals(shown.state());
    return new LastUpdate(
        shown.name(),
        kind(shown.type()),
        shown.generation(),
        shown.reconcileRequest(),
        succeeded,
        succeeded ? "" : line(shown.message()),
        shown.lastAttemptedCommit(),
        shown.lastSuccessfulCommit(),
        shown.permalink(),
        time(shown.lastResyncTime()));
  }

  private static LastAttempt attempt(StackIdentity identity, LastUpdate update) {
    if (!update.exists()) {
      return LastAttempt.NONE;
    }
    return new LastAttempt(
        update.kind(),
        update.generation(),
        deletion(identity, update.kind(), update.generation()),
        update.reconcileRequest(),
        update.attemptedRevision(),
        "",
        "",
        update.succeeded() ? Outcome.SUCCEEDED : Outcome.OPERATION_FAILED,
        update.message(),
        update.endTime());
  }

  private static LastAttempt attempt(StackIdentity identity, RetryStatus.Attempt last) {
    if (last.generation() <= 0) {
      return LastAttempt.NONE;
    }
    OperationKind kind = kind(last.kind());
    return new LastAttempt(
        kind,
        last.generation(),
        last.deletion() || deletion(identity, kind, last.generation()),
        last.reconcileRequest(),
        last.revision(),
        last.inputs(),
        last.update(),
        SUCCEEDED.equals(last.result()) ? Outcome.SUCCEEDED : failure(last.reason()),
        last.message(),
        time(last.endTime()));
  }

  private static Underway underway(RetryStatus.Attempt running) {
    return running.generation() <= 0
        ? Underway.NONE
        : new Underway(
            kind(running.kind()),
            running.generation(),
            running.deletion(),
            running.reconcileRequest(),
            running.revision(),
            running.inputs(),
            running.update());
  }

  /**
   * Where nobody wrote it down: a deletion raises the generation, so a destroy of the present one
   * was for it.
   */
  private static boolean deletion(StackIdentity identity, OperationKind kind, long generation) {
    return identity.deleting()
        && kind == OperationKind.DESTROY
        && generation == identity.generation();
  }

  private static Outcome failure(String reason) {
    for (Outcome outcome : Outcome.values()) {
      if (outcome != Outcome.SUCCEEDED && outcome.reason().equals(reason)) {
        return outcome;
      }
    }
    return Outcome.OPERATION_FAILED;
  }

  private static OperationKind kind(String word) {
    for (OperationKind kind : OperationKind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    return OperationKind.UP;
  }

  /** What other operators write there may be whole program output. */
  private static String line(String message) {
    String line = message.replaceAll("\\s+", " ").strip();
    return Texts.cut(line, 500);
  }

  private static Instant time(Instant shown) {
    return shown.isBefore(Instant.EPOCH) ? Instant.EPOCH : shown;
  }
}
