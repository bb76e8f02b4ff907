package dev.reprise.agent.init;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Unpacks a tar.gz file. Nothing is written outside the folder: names and links that lead out of it
 * are refused, as is everything that is neither a folder, a file nor a symbolic link.
 */
final class Archive {
  /** In an entry's mode. */
  private static final int EXECUTABLE = 0100;

  private final Path root;
  private final long most;

  /**
   * @param root an existing folder
   * @param most bytes that the whole archive may have unpacked; negative for no limit
   */
  Archive(Path root, long most) throws IOException {
    this.root = root.toRealPath();
    this.most = most;
  }

  static String tooLarge(long most) {
    return "the archive is larger than "
        + most
        + " bytes when it is unpacked: set "
        + FluxInit.LIMIT
        + " higher, or to -1 for no limit";
  }

  /**
   * @throws IOException if it is no such archive, is too large, or holds what is refused
   */
  void unpack(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new Limited(new GZIPInputStream(in), most))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry);
      }
    }
  }

  private void unpack(TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
    String name = entry.getName();
    Path path = inside(name);
    if (entry.isDirectory()) {
      folder(path, name);
      return;
    }
    if (path.equals(root)) {
      throw refused(name, "is the folder itself");
    }
    folder(parent(path), name);
    if (entry.isSymbolicLink()) {
      link(path, entry);
    } else if (isPlainFile(entry)) {
      Files.deleteIfExists(path);
      Files.copy(tar, path);
      if ((entry.getMode() & EXECUTABLE) != 0) {
        executable(path);
      }
    } else {
      throw refused(name, "is neither a folder, a file nor a symbolic link");
    }
  }

  private static boolean isPlainFile(TarArchiveEntry entry) {
    byte kind = entry.getLinkFlag();
    return (kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM) && !entry.isSparse();
  }

  private Path inside(String name) throws IOException {
    Path path = root.resolve(name).normalize();
    if (name.startsWith("/") || name.indexOf('\0') >= 0 || !path.startsWith(root)) {
      throw refused(name, "leads out of the folder");
    }
    return path;
  }

  private void folder(Path folder, String name) throws IOException {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException e) {
      throw refused(name, "is below what is no folder");
    }
    if (!folder.toRealPath().startsWith(root)) {
      throw refused(name, "leads out of the folder");
    }
  }

  /**
   * A link must lead to a place inside, seen from where it really is. After a name no {@code ..} is
   * taken: behind another link that would be somewhere else than it reads.
   */
  private void link(Path path, TarArchiveEntry entry) throws IOException {
    Path to = Path.of(entry.getLinkName());
    boolean named = false;
    for (Path part : to) {
      boolean up = part.toString().equals("..");
      if (up && named) {
        throw refused(entry.getName(), "is a link that leads back up");
      }
      named |= !up;
    }
    if (to.isAbsolute() || !parent(path).toRealPath().resolve(to).normalize().startsWith(root)) {
      throw refused(entry.getName(), "is a link that leads out of the folder");
    }
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(entry.getName(), "is there twice");
    }
    Files.createSymbolicLink(path, to);
  }

  private static void executable(Path path) throws IOException {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    permissions.addAll(Files.getPosixFilePermissions(path));
    permissions.add(PosixFilePermission.OWNER_EXECUTE);
    permissions.add(PosixFilePermission.GROUP_EXECUTE);
    permissions.add(PosixFilePermission.OTHERS_EXECUTE);
    Files.setPosixFilePermissions(path, permissions);
  }

  private Path parent(Path path) {
    Path parent = path.getParent();
    return parent == null ? root : parent;
  }

  private static IOException refused(String name, String why) {
    return new IOException("the archive is refused: \"" + name + "\" " + why);
  }

  /** Counts what comes out of the decompression, headers and padding included. */
  private static final class Limited extends FilterInputStream {
    private final long most;
    private long seen;

    Limited(InputStream in, long most) {
      super(in);
      this.most = most;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      count(Math.max(read, 0));
      return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
      long skipped = super.skip(bytes);
      count(skipped);
      return skipped;
    }

    private void count(long bytes) throws IOException {
      seen += bytes;
      if (most >= 0 && seen > most) {
        throw new IOException(tooLarge(most));
      }
    }
  }
}
