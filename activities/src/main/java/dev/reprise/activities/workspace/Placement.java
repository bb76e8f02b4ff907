package dev.reprise.activities.workspace;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;

/** How far a workspace is. */
public sealed interface Placement {

  /**
   * The agent listens.
   *
   * @param endpoint where
   * @param outdated whether it was started with another environment or program folder than is
   *     wanted now, so that it has to be stopped and placed again once it is idle
   */
  record Ready(Endpoint endpoint, boolean outdated) implements Placement {}

  /**
   * Ask again soon.
   *
   * @param waitingFor a few words for people
   */
  record Starting(String waitingFor) implements Placement {}

  /** It cannot be made as things are. */
  record Refused(WorkspaceOutput why) implements Placement {}
}
