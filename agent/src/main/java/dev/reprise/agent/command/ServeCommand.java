package dev.reprise.agent.command;

import dev.reprise.agent.Access;
import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.AgentServer;
import dev.reprise.agent.engine.Engines;
import dev.reprise.agent.kube.ClusterApi;
import dev.reprise.agent.kube.WorkspaceAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code agent serve}: serves one workspace until it is ended. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Serves one workspace over gRPC until it is ended.",
      "The environment variable REPRISE_AGENT_TOKEN holds the token that callers must send,",
      "REPRISE_AGENT_SECRETS the names, separated by commas, of variables to mask in output."
    })
public final class ServeCommand implements Callable<Integer> {
  /** Where a workspace's Service expects its agent. */
  private static final int POD_PORT = 50051;

  private final Map<String, String> environment;

  /** How callers are told apart. */
  enum AuthMode {
    NONE,
    KUBE,
    TOKEN
  }

  @Spec CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-w", "--workspace"},
      required = true,
      paramLabel = "DIR",
      description = "The folder with the program; a link to it will do.")
  Path workspace = Path.of("");

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "The agent's own folder: journal, last result, agent.json"
              + " (default: .agent beside the workspace).")
  Path state = Path.of("");

  @Option(
      names = {"--host", "--address"},
      paramLabel = "ADDRESS",
      description = "Where to listen (default: 127.0.0.1; 0.0.0.0 with --auth-mode kube).")
  String host = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "-1",
      description = "0 for any free one (default; 50051 with --auth-mode kube).")
  int port = -1;

  @Option(
      names = "--auth-mode",
      paramLabel = "MODE",
      defaultValue = "token",
      description =
          "kube: callers send a Kubernetes token and need the right to use the workspace;"
              + " token (default): they send REPRISE_AGENT_TOKEN if that is set; none.")
  String authMode = "token";

  @Option(names = "--kube-audience", paramLabel = "AUDIENCE", description = "Of callers' tokens.")
  String audience = "";

  @Option(
      names = "--kube-workspace-namespace",
      paramLabel = "NAMESPACE",
      description = "The workspace that callers must be allowed to use.")
  String workspaceNamespace = "";

  @Option(names = "--kube-workspace-name", paramLabel = "NAME", description = "Its name.")
  String workspaceName = "";

  @Option(
      names = "--env-file",
      paramLabel = "FILE",
      description = "More variables for programs, NAME=value; those already set win.")
  Path envFile = Path.of("");

  @Option(
      names = {"-s", "--skip-install"},
      description = "Accepted for compatibility: dependencies are only installed when asked to.")
  boolean skipInstall;

  @Option(
      names = "--pulumi-log-level",
      paramLabel = "LEVEL",
      defaultValue = "0",
      description =
          "How much the Pulumi CLI logs, 1 to 11; from 10 on that shows secrets (default: 0).")
  int pulumiLogLevel;

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
      defaultValue = "570s",
      converter = DurationConverter.class,
      description =
          "From SIGINT to SIGKILL (default: ${DEFAULT-VALUE}, which fits into the 600s that a"
              + " workspace's pod gets to end).")
  Duration grace = Duration.ZERO;

  @Option(
      names = "--plain",
      hidden = true,
      description =
          "Know no operation ids, as the agent of the Pulumi Kubernetes Operator: losing a call's"
              + " stream ends its operation. Shows what Reprise does with such an agent.")
  boolean plain;

  /** In this process's environment. */
  public ServeCommand() {
    this(System.getenv());
  }

  ServeCommand(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      AgentConfig config = config();
      requireProgram(config.workspace());
      serve(config);
      return AgentCommand.DONE;
    } catch (IOException e) {
      spec.commandLine().getErr().println("the agent cannot start: " + e.getMessage());
      return AgentCommand.FAILED;
    }
  }

  private static void serve(AgentConfig config) throws IOException, InterruptedException {
    try (AgentServer agent = AgentServer.start(config)) {
      Runtime.getRuntime().addShutdownHook(new Thread(agent::close, "agent-end"));
      agent.awaitTermination();
    }
  }

  /** What the arguments and the environment say. */
  public AgentConfig config() throws IOException {
    boolean pod = mode() == AuthMode.KUBE;
    Path ownState =
        state.toString().isEmpty()
            ? workspace.toAbsolutePath().normalize().resolveSibling(".agent")
            : state;
    return AgentConfig.of(resolved(workspace), ownState)
        .withAddress(address(pod), port >= 0 ? port : pod ? POD_PORT : 0)
        .withAccess(access())
        .withEnvironment(childEnvironment())
        .withPulumiLogLevel(pulumiLogLevel)
        .withPlain(plain)
        .withLossLimit(lossLimit)
        .withCancelGrace(grace);
  }

  private String address(boolean pod) {
    return !host.isEmpty() ? host : pod ? "0.0.0.0" : "127.0.0.1";
  }

  private AuthMode mode() {
    return switch (authMode) {
      case "none" -> AuthMode.NONE;
      case "kube" -> AuthMode.KUBE;
      case "token" -> AuthMode.TOKEN;
      default ->
          throw new ParameterException(
              spec.commandLine(), "--auth-mode: \"" + authMode + "\" is not none, kube or token");
    };
  }

  private Access access() throws IOException {
    return switch (mode()) {
      case NONE -> new Access.Open();
      case TOKEN -> {
        String token = environment.getOrDefault(AgentConfig.TOKEN_VARIABLE, "");
        yield token.isEmpty() ? new Access.Open() : new Access.Token(token);
      }
      case KUBE -> {
        if (audience.isEmpty() || workspaceNamespace.isEmpty() || workspaceName.isEmpty()) {
          throw new ParameterException(
              spec.commandLine(),
              "--auth-mode kube needs --kube-audience, --kube-workspace-namespace and"
                  + " --kube-workspace-name");
        }
        yield new Access.Kubernetes(
            new WorkspaceAccess(audience, workspaceNamespace, workspaceName),
            ClusterApi.inCluster(environment));
      }
    };
  }

  private Map<String, String> childEnvironment() throws IOException {
    if (envFile.toString().isEmpty()) {
      return environment;
    }
    Map<String, String> all = new HashMap<>(EnvFile.read(envFile).variables());
    all.putAll(environment);
    return all;
  }

  /** The folder may be a link, which may point elsewhere later. */
  private static Path resolved(Path folder) throws IOException {
    return Files.exists(folder) ? folder.toRealPath() : folder;
  }

  private void requireProgram(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IOException("--workspace: " + folder + " is no folder");
    }
    if (mode() == AuthMode.KUBE && !Engines.knows(folder)) {
      throw new IOException(
          "--workspace: "
              + folder
              + " holds neither a Pulumi.yaml nor one of the executables up, preview, refresh and"
              + " destroy: check the source's folder (spec.repoDir, spec.fluxSource.dir)");
    }
  }
}
