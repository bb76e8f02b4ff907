package dev.reprise.activities.workspace;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import java.time.Duration;

/** How far a workspace is. */
public sealed interface Placement {

  /**
   * The agent listens.
   *
   * @param endpoint where
   * @param outdated whether it was started with another environment or program folder than is
   *     wanted now, so that it has to be stopped and placed again once it is idle
   * @param instance names what is prepared once and stays so; "" = it is prepared each time
   * @param prepared whether that was done
   */
  record Ready(Endpoint endpoint, boolean outdated, String instance, boolean prepared)
      implements Placement {

    /** One that is prepared each time. */
    public Ready(Endpoint endpoint, boolean outdated) {
      this(endpoint, outdated, "", false);
    }
  }

  /**
   * Ask again soon.
   *
   * @param waitingFor a few words for people
   * @param askAgain the time after which an answer may be another one
   */
  record Starting(String waitingFor, Duration askAgain) implements Placement {

    /** One that may change any moment. */
    public Starting(String waitingFor) {
      this(waitingFor, Duration.ZERO);
    }
  }

  /** It cannot be made as things are. */
  record Refused(WorkspaceOutput why) implements Placement {}
}
