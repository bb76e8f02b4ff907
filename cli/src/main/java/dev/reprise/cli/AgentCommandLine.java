package dev.reprise.cli;

import dev.reprise.activities.workspace.AgentLauncher;
import dev.reprise.agent.command.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/**
 * Starts agents as this very program, on the same Java, with a small heap. An agent cancels what
 * runs and ends by itself once nobody has been connected to it for {@value #ALONE_VARIABLE} (such
 * as {@code 90s} or {@code 5m}; default 5m; {@code 0s}: never).
 */
final class AgentCommandLine implements AgentLauncher {
  /** The environment variable with the limit of agents that lost all their clients. */
  static final String ALONE_VARIABLE = "REPRISE_AGENT_END_WHEN_ALONE";

  /** Long enough for a worker to be restarted by hand; short enough to leave no orphan. */
  private static final Duration END_WHEN_ALONE = Duration.ofMinutes(5);

  private final Duration endWhenAlone;

  /**
   * @throws UserProblem when the variable holds no duration
   */
  AgentCommandLine(Map<String, String> environment) {
    String given = environment.getOrDefault(ALONE_VARIABLE, "");
    try {
      endWhenAlone = given.isEmpty() ? END_WHEN_ALONE : new DurationConverter().convert(given);
    } catch (TypeConversionException e) {
      throw new UserProblem(ALONE_VARIABLE + ": " + e.getMessage(), e);
    }
  }

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
            "-Xlog:cds=off",
            "-Xlog:cds+dynamic=off",
            "--sun-misc-unsafe-memory-access=allow"));
    String archive = System.getProperty("reprise.agent.archive", "");
    if (!archive.isEmpty()) {
      command.addAll(List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive));
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("agent", "serve", "--workspace", workspace.toString()));
    command.addAll(List.of("--state", stateDir.toString()));
    command.addAll(List.of("--cancel-grace", CANCEL_GRACE.toSeconds() + "s"));
    command.addAll(List.of("--end-when-alone", endWhenAlone.toSeconds() + "s"));
    return command;
  }
}
