package dev.reprise.activities.report;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;

/** What tools make of a Stack, each by its own rules. */
final class ToolVerdicts {
  private ToolVerdicts() {}

  /** As kstatus computes it, on which Flux and {@code kubectl wait} tools build. */
  static String kstatus(GenericKubernetesResource stack) {
    if (stack.getMetadata().getDeletionTimestamp() != null) {
      return "Terminating";
    }
    if (observed(stack) && !upToDate(stack)) {
      return "InProgress";
    }
    List<Condition> conditions = StackReader.status(stack).conditions();
    for (Condition condition : conditions) {
      if (condition.status().equals("True")) {
        switch (condition.type()) {
          case "Reconciling" -> {
            return "InProgress";
          }
          case "Stalled" -> {
            return "Failed";
          }
          default -> {}
        }
      }
    }
    boolean notReady =
        conditions.stream().anyMatch(c -> c.type().equals("Ready") && !c.status().equals("True"));
    return notReady ? "InProgress" : "Current";
  }

  /** As Argo CD's built-in check of Stacks does. */
  static String argo(GenericKubernetesResource stack) {
    if (!upToDate(stack)) {
      return "Progressing";
    }
    Map<String, String> verdicts = Map.of("Stalled", "Degraded", "Reconciling", "Progressing");
    for (String type : List.of("Stalled", "Reconciling")) {
      if (isTrue(stack, type)) {
        return verdicts.getOrDefault(type, "");
      }
    }
    return isTrue(stack, "Ready") ? "Healthy" : "Progressing";
  }

  /** As the check in the Pulumi Kubernetes Operator's documentation does: it asks no generation. */
  static String argoByFirstCondition(GenericKubernetesResource stack) {
    for (Condition condition : StackReader.status(stack).conditions()) {
      if (condition.status().equals("True")) {
        switch (condition.type()) {
          case "Stalled" -> {
            return "Degraded";
          }
          case "Reconciling" -> {
            return "Progressing";
          }
          case "Ready" -> {
            return "Healthy";
          }
          default -> {}
        }
      }
    }
    return "Progressing";
  }

  private static boolean isTrue(GenericKubernetesResource stack, String type) {
    return StackReader.status(stack).conditions().stream()
        .anyMatch(c -> c.type().equals(type) && c.status().equals("True"));
  }

  private static boolean observed(GenericKubernetesResource stack) {
    return stack.getAdditionalProperties().get("status") instanceof Map<?, ?> status
        && status.containsKey("observedGeneration");
  }

  private static boolean upToDate(GenericKubernetesResource stack) {
    return StackReader.status(stack).observedGeneration() == stack.getMetadata().getGeneration();
  }
}
