package dev.reprise.activities.workspace;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.workflows.activity.StackRef;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where operations run: one workspace per Stack, a folder with a program and an agent beside it. No
 * method blocks for long: what takes time is asked for again.
 */
public interface Workspaces {

  /** Makes there be a workspace, or tells why there is none yet. Idempotent. */
  Placement place(WorkspaceRequest request);

  /** Where the Stack's agent listens now; empty when none runs. */
  Optional<Endpoint> locate(StackRef stack);

  /** Ends the agent, so that the next {@link #place} starts it anew; the folder stays. */
  void stop(StackRef stack);

  /** Ends the agent and removes the workspace. Idempotent. */
  void delete(StackRef stack);

  /**
   * Deletes workspaces whose Stack is gone.
   *
   * @param gone whether a Stack is verifiably gone
   * @return how many were deleted
   */
  int sweep(Predicate<StackRef> gone);
}
