package dev.reprise.agent.operation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Files that are there after a power cut, whole or not at all, and readable by the owner alone. */
public final class Durable {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private Durable() {}

  /** Replaces a file: written beside it, synced, renamed. Mode 0600. */
  public static void replace(Path file, byte[] content) throws IOException {
    Path parent = parent(file);
    Path next = parent.resolve(file.getFileName() + ".next");
    Files.deleteIfExists(next);
    try (FileChannel channel = open(next, StandardOpenOption.CREATE_NEW)) {
      write(channel, content);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    sync(parent);
  }

  /** Opens a file to append to, made with mode 0600 if it does not exist. */
  static FileChannel append(Path file) throws IOException {
    FileChannel channel = open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    sync(parent(file));
    return channel;
  }

  /** Writes and syncs. */
  static void write(FileChannel channel, byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    channel.force(true);
  }

  /** Makes a folder with mode 0700, parents included, unless it is there. */
  public static Path folder(Path folder) throws IOException {
    return Files.createDirectories(folder, OWNER_ONLY_FOLDER);
  }

  /** Deletes a file or a folder with all that is in it; nothing happens if it is not there. */
  public static void delete(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> deepestFirst;
    try (Stream<Path> paths = Files.walk(path)) {
      deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : deepestFirst) {
      Files.deleteIfExists(each);
    }
  }

  private static FileChannel open(Path file, StandardOpenOption... options) throws IOException {
    Set<StandardOpenOption> all = EnumSet.of(StandardOpenOption.WRITE, options);
    return FileChannel.open(file, all, OWNER_ONLY);
  }

  private static Path parent(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("/") : parent;
  }

  private static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
