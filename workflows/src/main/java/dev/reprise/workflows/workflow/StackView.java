package dev.reprise.workflows.workflow;

/**
 * A run's state as a person reads it.
 *
 * @param stack namespace and name
 * @param generation the generation it works on
 * @param phase the phase's word
 * @param attempt attempts made for the present cause
 * @param failures consecutive counted failures
 * @param lastResult how the last attempt ended; "" = none yet
 * @param message what is going on and, after a failure, why
 * @param nextAttempt RFC 3339, when the next attempt starts by itself; "" = not planned
 */
public record StackView(
    String stack,
    long generation,
    String phase,
    int attempt,
    int failures,
    String lastResult,
    String message,
    String nextAttempt) {}
