package dev.reprise.agent.operation;

import dev.reprise.proto.operation.Result;

/** The work of one operation. */
@FunctionalInterface
public interface OperationBody {
  /**
   * Does the work.
   *
   * @throws OperationException if the operation failed
   */
  Result run(OperationContext context) throws OperationException, InterruptedException;
}
