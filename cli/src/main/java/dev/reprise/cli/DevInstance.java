package dev.reprise.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running {@code reprise dev}, as other commands in the same folder find it: the file {@code
 * dev.json} in its state folder.
 *
 * @param pid the process
 * @param started when it started, in milliseconds since the epoch, to tell it from a later process
 *     with the same pid
 * @param kubeconfig the kubeconfig file of its cluster; "" = the current context
 * @param temporal its Temporal service, {@code host:port}
 * @param cluster the cluster's short name
 */
record DevInstance(long pid, long started, String kubeconfig, String temporal, String cluster) {
  /** Where {@code reprise dev} keeps its state, below the folder it is started in. */
  static final Path DEFAULT_STATE = Path.of(".reprise");

  private static final JsonMapper MAPPER = JsonMapper.shared();

  static DevInstance here(String kubeconfig, String temporal, String cluster) {
    ProcessHandle self = ProcessHandle.current();
    return new DevInstance(self.pid(), startOf(self), kubeconfig, temporal, cluster);
  }

  /** The instance that runs with a state folder, if one does. */
  static Optional<DevInstance> running(Path state) {
    try {
      DevInstance instance = MAPPER.readValue(Files.readAllBytes(file(state)), DevInstance.class);
      return ProcessHandle.of(instance.pid)
          .filter(process -> startOf(process) == instance.started)
          .map(process -> instance);
    } catch (IOException | JacksonException absent) {
      return Optional.empty();
    }
  }

  /**
   * Takes a state folder for this process alone; the lock ends with the process.
   *
   * @throws UserProblem when another instance uses it
   */
  static FileChannel lock(Path state) {
    try {
      createPrivate(state);
      FileChannel channel =
          FileChannel.open(
              state.resolve("dev.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
      channel.close();
    } catch (IOException e) {
      throw new UserProblem("the state folder " + state + " cannot be used: " + e.getMessage(), e);
    }
    throw new UserProblem(
        "another reprise dev runs with the state folder %s; end it, or give --state another folder"
            .formatted(state.toAbsolutePath()));
  }

  void write(Path state) throws IOException {
    writePrivate(file(state), MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(this));
  }

  static void forget(Path state) throws IOException {
    Files.deleteIfExists(file(state));
  }

  /** Writes a file that only its owner may read, all of it or nothing. */
  static void writePrivate(Path file, byte[] content) throws IOException {
    Path fresh =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            file.getFileName().toString(),
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void createPrivate(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private static Path file(Path state) {
    return state.resolve("dev.json");
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  }
}
