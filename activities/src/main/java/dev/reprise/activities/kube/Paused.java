package dev.reprise.activities.kube;

import dev.reprise.stack.StackIdentity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;

/** The annotation that pauses a Stack. */
public final class Paused {
  private Paused() {}

  /** Its value is the reason, a bare "true" is none; "" when the Stack is not paused. */
  public static String reason(GenericKubernetesResource resource) {
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    String value =
        annotations == null ? "" : annotations.getOrDefault(StackIdentity.PAUSED, "").strip();
    return switch (value) {
      case "", "false" -> "";
      case "true" -> "paused by annotation";
      default -> value;
    };
  }
}
