package dev.reprise.activities.workspace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** How an agent's process is started on this machine. */
@FunctionalInterface
public interface AgentLauncher {

  /** The environment variable the agent finds its token in. */
  String TOKEN_VARIABLE = "REPRISE_AGENT_TOKEN";

  /** The environment variable that names the variables an agent masks, separated by commas. */
  String SECRETS_VARIABLE = "REPRISE_AGENT_SECRETS";

  /**
   * How long a cancelled operation is left to finish what it is creating before it is killed: a
   * resource whose creation is cut off is in the cloud but not in the state. The same as pods of
   * the Pulumi Kubernetes Operator have.
   */
  Duration CANCEL_GRACE = Duration.ofMinutes(10);

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
