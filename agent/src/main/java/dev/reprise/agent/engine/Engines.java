package dev.reprise.agent.engine;

import dev.reprise.agent.operation.Durable;
import dev.reprise.agent.process.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Chooses the engine by what the workspace holds now: Pulumi if there is a project file, else
 * Command programs.
 */
public final class Engines implements Supplier<Engine> {
  private final Path workspace;
  private final CommandEngine command;
  private final PulumiEngine pulumi;

  /**
   * Removes what calls of a killed agent left, and is ready; see {@link PulumiEngine} for the
   * parameters.
   */
  public Engines(
      Path workspace,
      Path stateDir,
      Map<String, String> environment,
      List<String> secrets,
      int pulumiLogLevel,
      Launcher launcher,
      InstantSource clock)
      throws IOException {
    Durable.delete(stateDir.resolve(PulumiCli.FOLDER));
    this.command = new CommandEngine(workspace, stateDir, environment, secrets, launcher, clock);
    this.pulumi =
        new PulumiEngine(
            workspace, stateDir, environment, secrets, pulumiLogLevel, launcher, clock);
    this.workspace = workspace;
  }

  /** Whether a folder holds something that one of the engines can run. */
  public static boolean knows(Path workspace) {
    return PulumiProject.file(workspace).isPresent()
        || Stream.of("up", "preview", "refresh", "destroy")
            .map(workspace::resolve)
            .anyMatch(program -> Files.isRegularFile(program) && Files.isExecutable(program));
  }

  @Override
  public Engine get() {
    return PulumiProject.file(workspace).isPresent() ? pulumi : command;
  }
}
