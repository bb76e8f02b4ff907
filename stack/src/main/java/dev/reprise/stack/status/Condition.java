package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * A condition as Kubernetes defines it.
 *
 * @param status True, False or Unknown
 * @param message for a person; written even when empty, because the field is required
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Condition(
    String type,
    String status,
    String reason,
    @JsonInclude(JsonInclude.Include.ALWAYS) String message,
    Long observedGeneration,
    Instant lastTransitionTime) {
  public Condition {
    type = Absent.text(type);
    status = Absent.text(status);
    reason = Absent.text(reason);
    message = Absent.text(message);
    observedGeneration = Absent.or(observedGeneration, 0L);
    lastTransitionTime = Absent.time(lastTransitionTime);
  }
}
