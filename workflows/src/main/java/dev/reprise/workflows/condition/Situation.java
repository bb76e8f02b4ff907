package dev.reprise.workflows.condition;

import java.time.Instant;

/**
 * Where a Stack stands, in words.
 *
 * @param phase the phase
 * @param reason the CamelCase word of the condition that is true
 * @param message one line for people
 * @param advice how to cut the wait short, to follow the message; "" = there is no way
 * @param nextAttempt when the next attempt starts by itself; {@link Instant#EPOCH} = not planned
 */
public record Situation(
    Phase phase, String reason, String message, String advice, Instant nextAttempt) {

  static Situation of(Phase phase, String reason, String message) {
    return new Situation(phase, reason, message, "", Instant.EPOCH);
  }

  /** Whether an attempt is planned for a certain time. */
  public boolean attemptPlanned() {
    return nextAttempt.isAfter(Instant.EPOCH);
  }
}
