package dev.reprise.agent.engine;

import dev.reprise.agent.operation.OperationBody;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.StackSummary;
import dev.reprise.proto.agent.WhoAmIResult;
import java.time.Duration;
import java.util.List;

/**
 * What runs in a workspace. The selected stack is the engine's state and holds for all later calls,
 * as the protocol wants it. Calls other than {@link #operation} block until they are done; a thread
 * that is interrupted ends the child it waits for.
 */
public sealed interface Engine permits CommandEngine, PulumiEngine {
  /** Downloads of a whole toolchain included; the caller's own limit is usually shorter. */
  Duration INSTALL_LIMIT = Duration.ofHours(1);

  /** Who runs things here. */
  WhoAmIResult whoAmI() throws OperationException, InterruptedException;

  /**
   * Selects, and if asked for creates, the stack of all later calls.
   *
   * @throws OperationException NOT_FOUND if it does not exist and is not to be created,
   *     FAILED_PRECONDITION if there is no project, INVALID_ARGUMENT for a bad name
   */
  StackSummary selectStack(SelectStackRequest request)
      throws OperationException, InterruptedException;

  /**
   * The selected stack; {@code update_in_progress} is for the caller to fill in.
   *
   * @throws OperationException FAILED_PRECONDITION if none is selected
   */
  StackSummary info() throws OperationException, InterruptedException;

  /**
   * Sets the selected stack's configuration.
   *
   * @throws OperationException INVALID_ARGUMENT for an item that cannot be resolved or set
   */
  void setAllConfig(List<ConfigItem> items) throws OperationException, InterruptedException;

  /** Adds Pulumi ESC environments to the selected stack. */
  void addEnvironments(List<String> names) throws OperationException, InterruptedException;

  /**
   * Installs what the program needs.
   *
   * @throws OperationException ABORTED if that fails
   */
  void install() throws OperationException, InterruptedException;

  /** The engine's version with a leading v. */
  String version() throws OperationException, InterruptedException;

  /**
   * Prepares an operation on the stack that is selected now.
   *
   * @throws OperationException FAILED_PRECONDITION if none is selected; the body itself fails with
   *     UNKNOWN when the program fails
   */
  OperationBody operation(OperationRequest request) throws OperationException;
}
