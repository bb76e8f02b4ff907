package dev.reprise.stack;

import java.util.Map;

/**
 * Why the force token of a Stack was set by a machine: text in the annotation {@value #ANNOTATION},
 * written together with the token and naming it, so that it is never taken for the reason of a
 * token somebody else sets later.
 */
public final class ReconcileReason {
  /** The annotation. */
  public static final String ANNOTATION = "reprise.dev/reconciliation-reason";

  /**
   * How tokens begin that a dependent sets; what follows names the update after which the Stack is
   * to run again. The Pulumi Kubernetes Operator's form, so that either knows the other's.
   */
  public static final String AFTER = "after-";

  private static final int LONGEST = 250;

  private ReconcileReason() {}

  /** The token that asks for one run after an update. */
  public static String tokenAfter(String update) {
    return AFTER + update;
  }

  /** The annotation's value for a token; the reason is cut to 250 characters on one line. */
  public static String value(String token, String reason) {
    return token + ": " + line(reason);
  }

  /** The reason an annotation gives for this very token; "" when it gives none. */
  static String of(Map<String, String> annotations, String token) {
    String value = annotations.getOrDefault(ANNOTATION, "");
    String prefix = token + ": ";
    return !token.isEmpty() && value.startsWith(prefix)
        ? line(value.substring(prefix.length()))
        : "";
  }

  private static String line(String text) {
    String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
