package dev.reprise.workflows.workflow;

import org.jspecify.annotations.Nullable;

/**
 * Why a run should look again. It carries nothing to rely on: what is true is observed.
 *
 * @param reason a few words for the history
 */
public record Hint(String reason) {
  /** Tolerates a hint sent by hand without a reason. */
  public Hint(@Nullable String reason) {
    this.reason = reason == null ? "" : reason;
  }
}
