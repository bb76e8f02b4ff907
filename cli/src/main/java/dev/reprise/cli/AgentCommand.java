package dev.reprise.cli;

import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.AgentServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code reprise agent}: the other end of the gRPC call. */
@Command(
    name = "agent",
    description = "Runs operations in a workspace.",
    subcommands = AgentCommand.Serve.class)
final class AgentCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    CommandLine.usage(this, System.out);
    return ExitCode.USAGE;
  }

  /** {@code reprise agent serve}. */
  @Command(
      name = "serve",
      mixinStandardHelpOptions = true,
      description = {
        "Serves one workspace over gRPC until it is ended.",
        "The environment variable REPRISE_AGENT_TOKEN holds the token that callers must send,",
        "REPRISE_AGENT_SECRETS the names, separated by commas, of variables to mask in output."
      })
  static final class Serve implements Callable<Integer> {
    @Option(
        names = "--workspace",
        required = true,
        paramLabel = "DIR",
        description = "The folder with the program.")
    Path workspace = Path.of("");

    @Option(
        names = "--state",
        required = true,
        paramLabel = "DIR",
        description = "The agent's own folder: journal, last result, agent.json.")
    Path state = Path.of("");

    @Option(
        names = "--host",
        paramLabel = "ADDRESS",
        defaultValue = "127.0.0.1",
        description = "Where to listen (default: ${DEFAULT-VALUE}).")
    String host = "";

    @Option(
        names = "--port",
        paramLabel = "PORT",
        defaultValue = "0",
        description = "0 for any free one (default).")
    int port;

    @Option(
        names = "--end-when-alone",
        paramLabel = "DURATION",
        defaultValue = "0s",
        converter = DurationConverter.class,
        description = "Cancel what runs and end after so long without any client (default: never).")
    Duration lossLimit = Duration.ZERO;

    @Option(
        names = "--cancel-grace",
        paramLabel = "DURATION",
        defaultValue = "10s",
        converter = DurationConverter.class,
        description = "From SIGINT to SIGKILL (default: ${DEFAULT-VALUE}).")
    Duration grace = Duration.ZERO;

    @Override
    public Integer call() throws InterruptedException {
      if (!Files.isDirectory(workspace)) {
        throw new UserProblem("--workspace: " + workspace + " is no folder");
      }
      AgentConfig config =
          AgentConfig.of(workspace, state)
              .withAddress(host, port)
              .withToken(System.getenv().getOrDefault(AgentConfig.TOKEN_VARIABLE, ""))
              .withLossLimit(lossLimit)
              .withCancelGrace(grace);
      try (AgentServer agent = AgentServer.start(config)) {
        Runtime.getRuntime().addShutdownHook(new Thread(agent::close, "agent-end"));
        agent.awaitTermination();
        return ExitCode.DONE;
      } catch (IOException e) {
        throw new UserProblem("the agent cannot start: " + e.getMessage(), e);
      }
    }
  }
}
