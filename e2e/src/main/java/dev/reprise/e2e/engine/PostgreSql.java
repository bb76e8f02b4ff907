package dev.reprise.e2e.engine;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of Debian's package {@code postgresql} on a database of its own. It refuses
 * to run as root, so as root it runs as user {@code postgres}.
 */
final class PostgreSql implements AutoCloseable {
  static final String HOST = "127.0.0.1";
  static final String USER = "postgres";

  private static final Duration READY = Duration.ofMinutes(1);

  private final Path programs;
  private final Path folder;
  private final int port;
  private final Daemon server;

  PostgreSql() {
    this.programs = programs();
    this.folder = folder();
    this.port = Ports.free(HOST);
    Commands.run(
        asUser(
            List.of(
                programs.resolve("initdb").toString(),
                "--pgdata=" + folder.resolve("data"),
                "--username=" + USER,
                "--auth=trust",
                "--no-sync")));
    this.server = Daemon.of(new Daemon.Recipe("postgresql", folder, Map.of(), command()));
    awaitReady();
  }

  private List<String> command() {
    return asUser(
        List.of(
            programs.resolve("postgres").toString(),
            "-D",
            folder.resolve("data").toString(),
            "-p",
            Integer.toString(port),
            "-c",
            "listen_addresses=" + HOST,
            "-c",
            "unix_socket_directories=",
            // What is killed here is a process, never the machine.
            "-c",
            "fsync=off",
            "-c",
            "max_connections=200"));
  }

  /** Debian keeps them off the path, in a folder for each version. */
  private static Path programs() {
    Path versions = Path.of("/usr/lib/postgresql");
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(versions)) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(versions)) {
        folders.forEach(version -> found.add(version.resolve("bin")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found.stream()
        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
        .max(Comparator.comparing(Path::toString))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there is no PostgreSQL; install Debian's package postgresql"));
  }

  /** Directly below the folder for temporary files: the user cannot enter the tests' folders. */
  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("reprise-e2e-postgresql");
      if (root()) {
        Commands.run(List.of("chown", USER, folder.toString()));
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean root() {
    return System.getProperty("user.name", "").equals("root");
  }

  /** Unlike su and runuser, setpriv becomes the program, so that signals reach it. */
  private static List<String> asUser(List<String> command) {
    List<String> whole = new ArrayList<>();
    if (root()) {
      whole.addAll(
          List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups", "--"));
    }
    whole.addAll(command);
    return whole;
  }

  private void awaitReady() {
    await("PostgreSQL to answer, see its log: " + server.log())
        .atMost(READY)
        .pollInterval(Duration.ofMillis(200))
        .until(this::startedAndReady);
  }

  /** After a kill it refuses to start while processes of the killed one still end. */
  private boolean startedAndReady() {
    if (!server.alive()) {
      server.restart();
    }
    List<String> ask =
        List.of(
            programs.resolve("pg_isready").toString(), "-h", HOST, "-p", Integer.toString(port));
    return Commands.tried(Map.of(), "", ask).exitCode() == 0;
  }

  int port() {
    return port;
  }

  void kill() {
    server.kill();
  }

  void restart() {
    server.restart();
    awaitReady();
  }

  @Override
  public void close() {
    // Nothing is kept, and an orderly end waits for all who are connected.
    server.kill();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
