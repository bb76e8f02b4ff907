package dev.reprise.cli;

import dev.reprise.activities.workspace.AgentLauncher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts agents as this very program, on the same Java, with a small heap. */
final class AgentCommandLine implements AgentLauncher {
  /** Long enough for a worker to be restarted by hand; short enough to leave no orphan. */
  private static final Duration END_WHEN_ALONE = Duration.ofMinutes(5);

  @Override
  public List<String> command(Path workspace, Path stateDir) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xss512k",
            "-Xmx96m",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--sun-misc-unsafe-memory-access=allow"));
    String archive = System.getProperty("reprise.agent.archive", "");
    if (!archive.isEmpty()) {
      command.addAll(List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("agent", "serve", "--workspace", workspace.toString()));
    command.addAll(List.of("--state", stateDir.toString()));
    command.addAll(List.of("--end-when-alone", END_WHEN_ALONE.toSeconds() + "s"));
    return command;
  }
}
