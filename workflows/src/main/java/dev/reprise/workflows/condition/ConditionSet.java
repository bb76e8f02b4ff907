package dev.reprise.workflows.condition;

import java.util.List;

/**
 * The conditions of a situation, as kstatus and Argo CD read them: exactly one story at a time, and
 * conditions that are true when something is abnormal are absent otherwise. Types, reasons and the
 * messages of Ready are those of the Pulumi Kubernetes Operator, so existing tools go on working.
 */
public final class ConditionSet {
  private static final String READY = "Ready";

  private ConditionSet() {}

  /** The conditions to show; empty means those shown before stay as they are. */
  public static List<Condition> of(Situation situation) {
    String message = situation.message() + situation.advice();
    return switch (situation.phase().story()) {
      case UNCHANGED -> List.of();
      case DONE -> List.of(new Condition(READY, true, situation.reason(), message));
      case IN_PROGRESS -> inProgress(situation.reason(), message);
      case STALLED ->
          List.of(
              new Condition(READY, false, "NotReadyStalled", "reconciliation is stalled"),
              new Condition("Stalled", true, situation.reason(), message));
    };
  }

  /**
   * What a Stack shows that was paused before it ever showed anything: without a condition tools
   * would take it for ready.
   *
   * @param pause why it is paused; "" = its first run has only ended
   */
  public static List<Condition> beforeAnything(String pause) {
    return inProgress("Paused", pause.isEmpty() ? "waiting for its next run" : pause);
  }

  private static List<Condition> inProgress(String reason, String message) {
    return List.of(
        new Condition(READY, false, "NotReadyInProgress", "reconciliation is in progress"),
        new Condition("Reconciling", true, reason, message));
  }
}
