package dev.reprise.dev.temporal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Chooses which Temporal service to use. */
public final class TemporalServices {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private TemporalServices() {}

  /**
   * What the chosen service needs.
   *
   * @param port for gRPC, or 0 for a free one
   * @param uiPort for the Web UI, or 0 for a free one
   * @param state an existing folder for the database and the log of the {@code temporal} program
   * @param searchAttributes names and types to register at start where that is possible
   * @param embeddedOnly whether to pass over the {@code temporal} program
   */
  public record Options(
      int port,
      int uiPort,
      Path state,
      Map<String, String> searchAttributes,
      boolean embeddedOnly) {
    public Options {
      searchAttributes = Map.copyOf(searchAttributes);
    }
  }

  /**
   * Takes the service at {@code TEMPORAL_ADDRESS}; without that the {@code temporal} program on the
   * {@code PATH}; without that the embedded service.
   *
   * @param environment the environment variables to look at
   */
  public static TemporalService choose(Map<String, String> environment, Options options) {
    String address = environment.getOrDefault("TEMPORAL_ADDRESS", "").strip();
    if (!address.isEmpty()) {
      return new ExternalTemporal(address);
    }
    Optional<Path> program =
        options.embeddedOnly()
            ? Optional.empty()
            : find("temporal", environment.getOrDefault("PATH", ""));
    if (program.isEmpty()) {
      return EmbeddedTemporal.start(options.port());
    }
    return TemporalCli.start(
        new TemporalCli.Options(
            program.get(),
            options.port(),
            options.uiPort(),
            options.state().resolve("temporal.db"),
            options.state().resolve("temporal.log"),
            options.searchAttributes(),
            START_LIMIT));
  }

  private static Optional<Path> find(String name, String path) {
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
