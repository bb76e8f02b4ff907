package dev.reprise.workflows.activity;

/** The fields that tell of a log line which Stack it is about, the same in every process. */
public final class LogKeys {
  /** {@code namespace/name}. */
  public static final String STACK = "stack";

  /** The generation acted on. */
  public static final String GENERATION = "generation";

  /** The number of the attempt, counted as the Stack's status counts. */
  public static final String ATTEMPT = "attempt";

  private LogKeys() {}
}
