package dev.reprise.e2e.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that a test makes. */
public final class TextFiles {
  private TextFiles() {}

  /**
   * Writes a file and the folders above it; one whose text starts with {@code #!} can be executed.
   *
   * @return the file
   */
  public static Path write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().normalize().resolve("..").normalize());
      Files.writeString(file, text);
      return Files.setPosixFilePermissions(
          file, PosixFilePermissions.fromString(text.startsWith("#!") ? "rwxr-xr-x" : "rw-r--r--"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
