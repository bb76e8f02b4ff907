package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Daemon;
import dev.reprise.e2e.engine.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Git's own daemon, serving every repository made here. */
public final class GitServer implements AutoCloseable {
  private final Path folder;
  private final String address;
  private final Daemon daemon;

  /**
   * Starts it.
   *
   * @param folder for the repositories
   * @param host the address it listens at
   */
  public GitServer(Path folder, String host) {
    this.folder = folder;
    int port = Ports.free(host);
    this.address = host + ":" + port;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.daemon =
        Daemon.of(
            new Daemon.Recipe(
                "git-daemon",
                folder,
                Map.of(),
                List.of(
                    "git",
                    "daemon",
                    "--reuseaddr",
                    "--export-all",
                    "--listen=" + host,
                    "--port=" + port,
                    "--base-path=" + folder)));
  }

  /** Makes a repository. */
  public GitRepository repository(String name) {
    return new GitRepository(folder.resolve(name), "git://" + address + "/" + name);
  }

  @Override
  public void close() {
    daemon.close();
  }
}
