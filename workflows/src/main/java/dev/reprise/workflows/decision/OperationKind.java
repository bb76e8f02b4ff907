package dev.reprise.workflows.decision;

import java.util.Locale;

/** What an agent can be asked to do with a stack. */
public enum OperationKind {
  PREVIEW,
  UP,
  REFRESH,
  DESTROY;

  /** The word used in a Stack's status and in operation ids, for example {@code up}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
