package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The program {@code reprise} as a person types it on the host, with all rights. */
public final class Cli {
  private final Path repository;
  private final Map<String, String> environment;

  /**
   * The program as it was built in the repository.
   *
   * @param kubeconfig what it reads
   * @param temporal {@code host:port}
   */
  public Cli(Path repository, Path kubeconfig, String temporal) {
    this.repository = repository;
    this.environment = Map.of("KUBECONFIG", kubeconfig.toString(), "TEMPORAL_ADDRESS", temporal);
  }

  /**
   * The command line of the program.
   *
   * @param repository where it was built
   * @throws IllegalStateException that says how to build it when it was not
   */
  public static List<String> command(Path repository, String... arguments) {
    Path built = repository.resolve("cli/target");
    if (!Files.exists(built.resolve("reprise-cli.jar"))) {
      throw new IllegalStateException(
          "the product is not built; run mvn -DskipTests -pl cli -am package");
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                built.resolve("reprise-cli.jar") + ":" + built.resolve("lib") + "/*",
                "dev.reprise.cli.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs a command; fails with its output unless it exits with 0. */
  public String run(String... arguments) {
    return Commands.run(environment, command(repository, arguments));
  }
}
