package dev.reprise.workflows.condition;

/**
 * One condition of a Stack, without its transition time, which depends on what the object shows.
 *
 * @param type {@code Ready}, {@code Reconciling} or {@code Stalled}
 * @param status whether it is {@code True} or {@code False}
 * @param reason CamelCase
 * @param message one line for people
 */
public record Condition(String type, boolean status, String reason, String message) {}
