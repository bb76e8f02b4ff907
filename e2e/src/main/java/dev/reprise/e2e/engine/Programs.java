package dev.reprise.e2e.engine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The engines that {@code e2e/engines/build} made.
 *
 * @param folder where they are
 */
public record Programs(Path folder) {

  /** The cache folder that the build script uses. */
  public static Programs fromEnvironment() {
    Map<String, String> environment = System.getenv();
    String named = environment.getOrDefault("REPRISE_ENGINES", "");
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path cache =
        caches.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
    Path engines = named.isEmpty() ? cache.resolve("reprise/engines") : Path.of(named);
    return new Programs(engines.resolve("bin"));
  }

  /**
   * The path of one.
   *
   * @throws IllegalStateException that says how to build it when it is not there
   */
  public String path(String name) {
    Path program = folder.resolve(name);
    if (!Files.isExecutable(program)) {
      throw new IllegalStateException(
          "the engine " + name + " is not built; run e2e/engines/build " + name);
    }
    return program.toString();
  }
}
