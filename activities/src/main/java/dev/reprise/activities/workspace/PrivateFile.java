package dev.reprise.activities.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner may read. */
final class PrivateFile {
  private PrivateFile() {}

  /** Creates or replaces a file whole: a reader sees all of it or what was there before. */
  static void write(Path file, String content) throws IOException {
    Path fresh =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            String.valueOf(file.getFileName()),
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
