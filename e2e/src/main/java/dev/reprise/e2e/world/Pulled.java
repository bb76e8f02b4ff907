package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.pod.Image;
import dev.reprise.e2e.pod.Image.Layer;
import dev.reprise.e2e.pod.Images;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What stands for the images: Reprise's two, filled and started as their Dockerfiles say, an agent
 * that knows no operation ids, and for every other name Pulumi's.
 */
final class Pulled {
  /** An agent that behaves as the one of the Pulumi Kubernetes Operator. */
  static final String PLAIN_AGENT = "plain-agent:1";

  /** An image that no registry has. */
  static final String MISSING = "no-such-image:1";

  private static final String VERSION = "0.1.0-SNAPSHOT";
  private static final String ENGINES = "/opt/engines/bin";
  private static final String AGENT = "/opt/plain-agent";
  private static final Layer TINI = new Layer(Path.of("/usr/bin/tini-static"), "/tini");

  private Pulled() {}

  static Images images(Path repository, Programs programs, Path folder) {
    return new Images(
        Map.of(
            "reprise:" + VERSION,
            reprise(repository),
            "reprise-agent:" + VERSION,
            agent(repository),
            PLAIN_AGENT,
            plainAgent(folder)),
        Set.of(MISSING),
        pulumi(programs, repository));
  }

  /** Its heap is bounded here, where no memory limit of a container bounds it. */
  private static Image reprise(Path repository) {
    Path java = Path.of(System.getProperty("java.home"));
    return new Image(
        List.of(
            new Layer(java, "/opt/java"),
            new Layer(
                repository.resolve("cli/target/reprise-cli.jar"), "/opt/reprise/reprise-cli.jar"),
            new Layer(repository.resolve("cli/target/lib"), "/opt/reprise/lib")),
        List.of(
            "/opt/java/bin/java",
            "-XX:+UseSerialGC",
            "-Xmx300m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            "/opt/reprise/reprise-cli.jar:/opt/reprise/lib/*",
            "dev.reprise.cli.Main"),
        Map.of(),
        new Image.User(65532, 65532));
  }

  private static Image agent(Path repository) {
    Path image = repository.resolve("agent/target/image");
    return new Image(
        List.of(
            new Layer(image.resolve("agent"), "/agent"),
            new Layer(image.resolve("runtime"), "/runtime"),
            TINI),
        List.of("/tini", "/agent", "--"),
        Map.of(),
        new Image.User(65532, 65532));
  }

  /**
   * From PKO's image only two files are copied, so this agent's runtime is where the workspace's
   * image has it.
   */
  private static Image plainAgent(Path folder) {
    return new Image(
        List.of(new Layer(launcher(folder), "/agent"), TINI),
        List.of("/tini", "/agent", "--"),
        Map.of(),
        new Image.User(65532, 65532));
  }

  private static Path launcher(Path folder) {
    try {
      Path file = folder.resolve("plain-agent");
      Files.createDirectories(folder);
      Files.writeString(
          file,
          """
          #!/bin/sh
          if [ "$1" = -- ]; then shift; fi
          if [ "$1" = serve ]; then shift; set -- serve --plain "$@"; fi
          exec %s/agent "$@"
          """
              .formatted(AGENT));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Image pulumi(Programs programs, Path repository) {
    return new Image(
        List.of(
            new Layer(programs.folder(), ENGINES),
            new Layer(repository.resolve("agent/target/image"), AGENT)),
        List.of(),
        Map.of(
            "PATH", ENGINES + ":/usr/local/bin:/usr/bin:/bin", "PULUMI_SKIP_UPDATE_CHECK", "true"),
        Image.ROOT);
  }
}
