package dev.reprise.activities.operation;

import dev.reprise.activities.agent.AgentStatus;
import dev.reprise.activities.kube.Texts;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The one line that tells why an operation ended as it did: the first and the last lines of the
 * real text, or, where a person has to act on something in its middle, that. Never empty.
 */
final class FailureWords {
  /** What fits a condition's message and a table in the Web UI. */
  private static final int EXCERPT = 500;

  /** Names of resources are long, and each has to be looked after. */
  private static final int LISTED = 1_000;

  /** "file:///…: created by user@host (pid 7) at 2026-12-01T00:00:00Z", and services' own words. */
  private static final Pattern HOLDER =
      Pattern.compile("\\b(created by|held by|started by|locked by .*@)", Pattern.CASE_INSENSITIVE);

  private static final Pattern URN = Pattern.compile("urn:pulumi:\\S+.*");

  private static final String REMEDY =
      "; find out in the cloud what became of them, then clear them with pulumi refresh"
          + " (for creations: pulumi refresh --clear-pending-creates, or pulumi import)";

  private FailureWords() {}

  /**
   * The line.
   *
   * @param text masked program output; may be long, or empty
   */
  static String of(OperationKind kind, Outcome outcome, String text) {
    String line =
        switch (outcome) {
          case UPDATE_CONFLICT -> locked(text);
          case PENDING_OPERATIONS -> pending(text);
          default -> Texts.excerpt(text, EXCERPT);
        };
    return line.isEmpty()
        ? kind.word() + " ended as " + outcome.reason() + ", without a message"
        : line;
  }

  /** Which lock, and whose since when, where the backend tells. */
  private static String locked(String text) {
    List<String> told = new ArrayList<>();
    for (String line : Texts.meaningful(text)) {
      if (AgentStatus.tellsOfLock(line) || HOLDER.matcher(line).find()) {
        told.add(line);
      }
    }
    return told.isEmpty()
        ? Texts.excerpt(text, EXCERPT)
        : Texts.excerpt(String.join("\n", told), EXCERPT);
  }

  /** Which resources, as many as fit, and what to do. */
  private static String pending(String text) {
    StringBuilder named = new StringBuilder();
    int left = 0;
    for (String line : Texts.meaningful(text)) {
      var urn = URN.matcher(line);
      if (urn.find()) {
        if (named.length() + urn.group().length() > LISTED) {
          left++;
        } else {
          named.append(named.isEmpty() ? "" : "; ").append(urn.group());
        }
      }
    }
    if (named.isEmpty()) {
      return Texts.excerpt(text, EXCERPT) + REMEDY;
    }
    return "an interrupted operation left these pending: "
        + named
        + (left > 0 ? "; and " + left + " more" : "")
        + REMEDY;
  }
}
