package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * Limits of one operation; {@link StackSpec#UNSET} where the manifest says nothing, 0 where it
 * wants none.
 *
 * @param idleTimeoutSeconds silence after which the operation is cancelled
 * @param timeoutSeconds the longest an operation may take
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record OperationSpec(Long idleTimeoutSeconds, Long timeoutSeconds) {
  static final OperationSpec NONE = new OperationSpec(StackSpec.UNSET, StackSpec.UNSET);

  public OperationSpec {
    idleTimeoutSeconds = Absent.or(idleTimeoutSeconds, StackSpec.UNSET);
    timeoutSeconds = Absent.or(timeoutSeconds, StackSpec.UNSET);
  }
}
