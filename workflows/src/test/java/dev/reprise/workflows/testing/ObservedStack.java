package dev.reprise.workflows.testing;

import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Observation.Presence;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Policy;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.WaitingFor;
import java.time.Duration;
import java.util.List;

/** A Stack as an observation shows it; edited the way a user edits the object. */
public final class ObservedStack {
  private Presence presence = Presence.PRESENT;
  private long generation = 1;
  private boolean deleting;
  private boolean finalizer = true;
  private boolean upMarked;
  private boolean upMayHaveStarted;
  private boolean destroyOnDelete = true;
  private OperationKind kind = OperationKind.UP;
  private String token = "";
  private String tokenReason = "";
  private String pause = "";
  private Policy policy = Policy.DEFAULT;
  private String revision = "r1";
  private String inputs = "v1:k:a";
  private Obstacle obstacle = Obstacle.NONE;
  private WaitingFor waitingFor = WaitingFor.NOTHING;
  private long shownSequence;
  private StackState seed = StackState.EMPTY;

  public synchronized Observation observation() {
    return new Observation(
        presence,
        presence == Presence.UNREADABLE ? "no right to read stacks" : "",
        generation,
        deleting,
        finalizer,
        upMarked,
        upMayHaveStarted || upMarked,
        destroyOnDelete,
        kind,
        token,
        tokenReason,
        pause,
        policy,
        revision,
        inputs,
        obstacle,
        waitingFor,
        shownSequence,
        seed,
        List.of("StackPhase", "StackFailures", "StackNextAttempt", "StackGeneration"));
  }

  public synchronized ObservedStack presence(Presence value) {
    presence = value;
    return this;
  }

  public synchronized ObservedStack generation(long value) {
    generation = value;
    return this;
  }

  /** The API server raises the generation when it sets the deletion timestamp. */
  public synchronized ObservedStack delete() {
    if (!finalizer) {
      presence = Presence.GONE;
    }
    deleting = true;
    generation++;
    return this;
  }

  public synchronized ObservedStack finalizer(boolean value) {
    finalizer = value;
    if (deleting && !value) {
      presence = Presence.GONE;
    }
    return this;
  }

  public synchronized boolean finalizer() {
    return finalizer;
  }

  public synchronized boolean deleting() {
    return deleting;
  }

  public synchronized ObservedStack upMarked(boolean value) {
    upMarked = value;
    return this;
  }

  public synchronized ObservedStack upMayHaveStarted(boolean value) {
    upMayHaveStarted = value;
    return this;
  }

  public synchronized ObservedStack destroyOnDelete(boolean value) {
    destroyOnDelete = value;
    return this;
  }

  public synchronized ObservedStack kind(OperationKind value) {
    kind = value;
    return this;
  }

  public synchronized ObservedStack token(String value) {
    token = value;
    return this;
  }

  /** As a dependent sets it. */
  public synchronized ObservedStack token(String value, String reason) {
    token = value;
    tokenReason = reason;
    return this;
  }

  public synchronized ObservedStack pause(String value) {
    pause = value;
    return this;
  }

  public synchronized ObservedStack retry(RetryPolicy value) {
    policy =
        new Policy(
            value, policy.resync(), policy.idleTimeout(), policy.timeout(), value.toString());
    return this;
  }

  public synchronized ObservedStack resync(Duration value) {
    policy =
        new Policy(policy.retry(), value, policy.idleTimeout(), policy.timeout(), policy.shown());
    return this;
  }

  public synchronized ObservedStack revision(String value) {
    revision = value;
    return this;
  }

  public synchronized ObservedStack inputs(String value) {
    inputs = value;
    return this;
  }

  public synchronized ObservedStack obstacle(Obstacle value) {
    obstacle = value;
    return this;
  }

  public ObservedStack waitingFor(List<String> sentences) {
    return waitingFor(WaitingFor.of(sentences));
  }

  public synchronized ObservedStack waitingFor(WaitingFor value) {
    waitingFor = value;
    return this;
  }

  public synchronized ObservedStack shownSequence(long value) {
    shownSequence = value;
    return this;
  }

  public synchronized ObservedStack seed(StackState value) {
    seed = value;
    shownSequence = value.sequence();
    return this;
  }
}
