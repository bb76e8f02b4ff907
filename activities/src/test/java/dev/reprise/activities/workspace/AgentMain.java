package dev.reprise.activities.workspace;

import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.AgentServer;
import java.nio.file.Path;
import java.time.Duration;

/** Reprise's agent as a process of its own, which ends by itself should a test leave it behind. */
final class AgentMain {
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
}
