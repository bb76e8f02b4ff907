package dev.reprise.cli;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.Condition;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import dev.reprise.workflows.condition.Situations;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One Stack as people see it in a table.
 *
 * @param name namespace and name
 * @param phase what it is doing, in one word
 * @param generation the generation the status speaks of; 0 = none yet
 * @param current whether the status speaks of the newest generation
 * @param attempt attempts made for the present cause
 * @param failures consecutive failures
 * @param nextAttempt when the next attempt starts by itself
 * @param message what is going on and why
 */
record StackRow(
    String name,
    String phase,
    long generation,
    boolean current,
    long attempt,
    long failures,
    Optional<Instant> nextAttempt,
    String message) {
  static final String READY = "Ready";
  static final String STALLED = "Stalled";

  static StackRow of(GenericKubernetesResource stack) {
    StackIdentity identity = StackReader.identity(stack);
    StackStatus status = StackReader.status(stack);
    RetryStatus retry = status.retry();
    Optional<Condition> telling = telling(status.conditions());
    Instant next = retry.nextAttemptTime();
    return new StackRow(
        identity.namespace() + "/" + identity.name(),
        identity.deleting() ? "Deleting" : phase(retry, telling),
        status.observedGeneration(),
        status.observedGeneration() == identity.generation(),
        retry.attempt(),
        retry.failures(),
        next.isAfter(Instant.EPOCH) ? Optional.of(next) : Optional.empty(),
        retry.pause().isEmpty()
            ? telling.map(Condition::message).map(StackRow::oneLine).orElse("")
            : oneLine("paused: " + retry.pause()));
  }

  /** One line, without the advice that every failing Stack shows. */
  private static String oneLine(String message) {
    return message.replace(Situations.RETRY_HINT, "").lines().findFirst().orElse("");
  }

  boolean ready() {
    return current && phase.equals(READY);
  }

  boolean stalled() {
    return current && phase.equals(STALLED);
  }

  /** The condition that is true; of Ready=False, the other one. */
  private static Optional<Condition> telling(List<Condition> conditions) {
    return conditions.stream().filter(condition -> condition.status().equals("True")).findFirst();
  }

  private static String phase(RetryStatus retry, Optional<Condition> telling) {
    if (retry.paused()) {
      return "Paused";
    }
    if (telling.isEmpty()) {
      return "Pending";
    }
    return switch (telling.get().type()) {
      case READY -> READY;
      case STALLED -> STALLED;
      default ->
          retry.nextAttemptTime().isAfter(Instant.EPOCH)
              ? "CoolingDown"
              : telling.get().reason().equals(Situations.PREREQUISITE_NOT_SATISFIED)
                  ? "Waiting"
                  : "Running";
    };
  }
}
