package dev.reprise.activities.workspace;

import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.AgentServer;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Reprise's agent as a process of its own, which ends by itself should a test leave it behind. */
public final class AgentMain {
  private AgentMain() {}

  public static void main(String[] args) throws Exception {
    AgentConfig config =
        AgentConfig.of(Path.of(args[0]), Path.of(args[1]))
            .withToken(System.getenv().getOrDefault(AgentConfig.TOKEN_VARIABLE, ""))
            .withLossLimit(Duration.ofMinutes(1));
    try (AgentServer server = AgentServer.start(config)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      server.awaitTermination();
    }
  }

  /** Class path entries that exist, so that the agent's JVM starts without the test's own flags. */
  public static List<String> command(Path program, Path state) {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> new File(entry).exists())
            .collect(Collectors.joining(File.pathSeparator));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-cp",
        classPath,
        AgentMain.class.getName(),
        program.toString(),
        state.toString());
  }
}
