package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Commands;
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

  /** The jars, as the image has them. */
  static List<Path> jars(Path repository) {
    return List.of(
        repository.resolve("cli/target/reprise-cli.jar"), repository.resolve("cli/target/lib"));
  }

  /** Runs a command; fails with its output unless it exits with 0. */
  public String run(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            jars(repository).get(0) + ":" + jars(repository).get(1) + "/*",
            "dev.reprise.cli.Main"));
    command.addAll(List.of(arguments));
    return Commands.run(environment, command);
  }
}
