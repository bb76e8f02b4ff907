package dev.reprise.agent;

import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An agent in a JVM of its own, to be killed or to be measured. */
final class AgentProcess implements AutoCloseable {
  final Path workspace;
  final Path stateDir;
  final ManagedChannel channel;
  private final Process process;

  AgentProcess(Path folder, String... jvmOptions) throws IOException {
    this.workspace = Files.createDirectories(folder.resolve("workspace"));
    this.stateDir = folder.resolve("state");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(List.of(jvmOptions));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            workspace.toString(),
            stateDir.toString()));
    this.process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("agent.out").toFile())
            .start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> AgentAddress.read(stateDir).isPresent() || !process.isAlive());
    this.channel = Agent.connect(AgentAddress.read(stateDir).orElseThrow().port());
  }

  boolean alive() {
    return process.isAlive();
  }

  /** SIGKILL to the agent alone, as an out-of-memory killer does it. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    kill();
  }

  /** The agent's program. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
      AgentServer.start(AgentConfig.of(Path.of(args[0]), Path.of(args[1]))).awaitTermination();
    }
  }
}
