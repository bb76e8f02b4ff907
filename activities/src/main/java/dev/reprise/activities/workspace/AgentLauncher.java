package dev.reprise.activities.workspace;

import java.nio.file.Path;
import java.util.List;

/** How an agent's process is started on this machine. */
@FunctionalInterface
public interface AgentLauncher {

  /** The environment variable the agent finds its token in. */
  String TOKEN_VARIABLE = "REPRISE_AGENT_TOKEN";

  /**
   * The command line of an agent that listens on loopback on a port of its own choice, writes
   * {@code agent.json} {host, port, pid, startTime} into its state folder once it listens, and asks
   * for the token in {@value #TOKEN_VARIABLE}.
   *
   * @param workspace the folder with the program
   * @param stateDir the agent's state folder
   */
  List<String> command(Path workspace, Path stateDir);
}
