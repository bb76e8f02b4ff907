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

  /** The API server takes no longer message than 32768 characters, and nobody reads one. */
  private static final int LONGEST_MESSAGE = 4_000;

  /** Keeps the beginning and the end of a message that is too long. */
  public Situation {
    if (message.length() > LONGEST_MESSAGE) {
      int half = LONGEST_MESSAGE / 2;
      message = start(message, half - 3) + " … " + end(message, message.length() - half);
    }
  }

  private static String start(String text, int length) {
    return text.substring(
        0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
  }

  private static String end(String text, int from) {
    return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }

  static Situation of(Phase phase, String reason, String message) {
    return new Situation(phase, reason, message, "", Instant.EPOCH);
  }

  /** Whether an attempt is planned for a certain time. */
  public boolean attemptPlanned() {
    return nextAttempt.isAfter(Instant.EPOCH);
  }
}
