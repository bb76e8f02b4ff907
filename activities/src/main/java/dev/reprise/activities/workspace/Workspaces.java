package dev.reprise.activities.workspace;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.workflows.activity.StackRef;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where operations run: one workspace per Stack, a folder with a program and an agent beside it.
 * What takes time is asked for again; only ending an agent waits for the operation it runs to end.
 */
public interface Workspaces {

  /** Makes there be a workspace, or tells why there is none yet. Idempotent. */
  Placement place(WorkspaceRequest request);

  /**
   * Notes that everything that is done once was done. Before this is confirmed, no operation may be
   * sent.
   *
   * @param instance from {@link Placement.Ready}
   */
  void prepared(StackRef stack, String instance);

  /** Where the Stack's agent listens now; empty when none runs. */
  Optional<Endpoint> locate(StackRef stack);

  /**
   * Whether ending the Stack's agent now would end an operation with it; true also when a living
   * agent does not tell. Answers within some seconds.
   */
  boolean running(StackRef stack);

  /** Ends the agent, so that the next {@link #place} starts it anew; the folder stays. */
  void stop(StackRef stack);

  /**
   * Saves what an idle workspace costs: nothing of it runs until it is placed again. Idempotent.
   *
   * @param keepObjects whether its objects stay, so that it is back sooner
   */
  void rest(StackRef stack, boolean keepObjects);

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
