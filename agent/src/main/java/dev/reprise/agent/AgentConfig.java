package dev.reprise.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How an agent runs.
 *
 * @param workspace the folder with the program
 * @param stateDir the agent's own folder, made with mode 0700 if missing; holds the journal, the
 *     last result, Command stacks and {@code agent.json}; never shared by two running agents
 * @param host the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param access who may call
 * @param lossLimit how long the agent stays without any connection or call before it cancels what
 *     runs and ends; zero for ever
 * @param cancelGrace how long a child may take to end after SIGINT before SIGKILL
 * @param environment what children inherit; {@link #TOKEN_VARIABLE}, {@link #SECRETS_VARIABLE} and
 *     any variable that holds the token are taken out
 * @param pulumiLogLevel how much the Pulumi CLI logs of itself to its standard error, from 1 to 11;
 *     0 for nothing
 * @param plain behave as an agent that knows no operation ids: a call belongs to its stream
 * @param clock the time
 */
public record AgentConfig(
    Path workspace,
    Path stateDir,
    String host,
    int port,
    Access access,
    Duration lossLimit,
    Duration cancelGrace,
    Map<String, String> environment,
    int pulumiLogLevel,
    boolean plain,
    InstantSource clock) {

  /** The environment variable in which a launcher hands the token over; children never see it. */
  public static final String TOKEN_VARIABLE = "REPRISE_AGENT_TOKEN";

  /**
   * The environment variable with the names of those variables whose values are secrets, separated
   * by commas: the agent masks them in what programs print, like secret configuration.
   */
  public static final String SECRETS_VARIABLE = "REPRISE_AGENT_SECRETS";

  /** Pulumi's own tooling gives the CLI 10 s between the interrupt and the kill. */
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

  public AgentConfig {
    environment = Map.copyOf(environment);
  }

  /** Loopback, a free port, no token, no loss limit, 10 s of grace, this process's environment. */
  public static AgentConfig of(Path workspace, Path stateDir) {
    return new AgentConfig(
        workspace,
        stateDir,
        "127.0.0.1",
        0,
        new Access.Open(),
        Duration.ZERO,
        DEFAULT_GRACE,
        System.getenv(),
        0,
        false,
        InstantSource.system());
  }

  /** The same, listening elsewhere. */
  public AgentConfig withAddress(String newHost, int newPort) {
    return new AgentConfig(
        workspace,
        stateDir,
        newHost,
        newPort,
        access,
        lossLimit,
        cancelGrace,
        environment,
        pulumiLogLevel,
        plain,
        clock);
  }

  /** The same, asking for a token; not if it is empty. */
  public AgentConfig withToken(String newToken) {
    return withAccess(newToken.isEmpty() ? new Access.Open() : new Access.Token(newToken));
  }

  /** The same for other callers. */
  public AgentConfig withAccess(Access newAccess) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        newAccess,
        lossLimit,
        cancelGrace,
        environment,
        pulumiLogLevel,
        plain,
        clock);
  }

  /** The same with another loss limit. */
  public AgentConfig withLossLimit(Duration newLimit) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        access,
        newLimit,
        cancelGrace,
        environment,
        pulumiLogLevel,
        plain,
        clock);
  }

  /** The same with another grace period. */
  public AgentConfig withCancelGrace(Duration newGrace) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        access,
        lossLimit,
        newGrace,
        environment,
        pulumiLogLevel,
        plain,
        clock);
  }

  /** The same with another environment for children. */
  public AgentConfig withEnvironment(Map<String, String> newEnvironment) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        access,
        lossLimit,
        cancelGrace,
        newEnvironment,
        pulumiLogLevel,
        plain,
        clock);
  }

  /** The same with another log level of the Pulumi CLI. */
  public AgentConfig withPulumiLogLevel(int newLevel) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        access,
        lossLimit,
        cancelGrace,
        environment,
        newLevel,
        plain,
        clock);
  }

  /** The same, without operation ids or with them. */
  public AgentConfig withPlain(boolean newPlain) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        access,
        lossLimit,
        cancelGrace,
        environment,
        pulumiLogLevel,
        newPlain,
        clock);
  }

  /** The same with another clock. */
  public AgentConfig withClock(InstantSource newClock) {
    return new AgentConfig(
        workspace,
        stateDir,
        host,
        port,
        access,
        lossLimit,
        cancelGrace,
        environment,
        pulumiLogLevel,
        plain,
        newClock);
  }

  Map<String, String> childEnvironment() {
    Map<String, String> inherited = new HashMap<>(environment);
    inherited.remove(TOKEN_VARIABLE);
    inherited.remove(SECRETS_VARIABLE);
    if (access instanceof Access.Token token) {
      inherited.values().removeIf(value -> value.contains(token.value()));
    }
    return inherited;
  }

  /** The values of the variables that {@link #SECRETS_VARIABLE} names. */
  List<String> childSecrets() {
    return Stream.of(environment.getOrDefault(SECRETS_VARIABLE, "").split(",", -1))
        .map(name -> environment.getOrDefault(name, ""))
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /** Without the token and the environment. */
  @Override
  public String toString() {
    return "AgentConfig[" + workspace + " at " + host + ":" + port + "]";
  }
}
