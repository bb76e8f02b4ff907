package dev.reprise.activities.workspace.pod;

/**
 * What an operator says about all workspaces.
 *
 * @param agent where pods get their agent from
 * @param maxUntarBytes the most bytes a Flux artifact may unpack to, as a number, "-1" for no
 *     limit; "" = the agent's own default of 100 MiB
 */
public record PodSettings(AgentImage agent, String maxUntarBytes) {

  /** With the agent's own limit of what it unpacks. */
  public static PodSettings of(AgentImage agent) {
    return new PodSettings(agent, "");
  }
}
