package dev.reprise.activities.operation;

import dev.reprise.activities.agent.AgentStatus;

/** How a stream ended. */
sealed interface Ending {

  /**
   * With a result.
   *
   * @param cancelled whether the agent says that a cancel took effect
   */
  record Finished(OperationResult result, boolean cancelled) implements Ending {}

  /**
   * The operation itself failed.
   *
   * @param cancelled whether the agent says that a cancel ended it
   */
  record Failed(AgentStatus status, boolean cancelled) implements Ending {}

  /** The stream broke, or the agent refused the call; tells nothing of an operation. */
  record Broken(AgentStatus status) implements Ending {}

  /** It was cancelled, but did not end; this attempt stopped following it. */
  record GivenUp() implements Ending {}

  /** Closed in good order, but without a result. */
  record WithoutResult() implements Ending {}
}
