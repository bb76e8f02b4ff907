package dev.reprise.dev;

import java.nio.file.Path;

/** A file that keeps state between two starts cannot be used. The message says what to do. */
public final class KeptStateException extends RuntimeException {
  private final Path file;

  /**
   * @param message names the file and says what to do
   */
  public KeptStateException(Path file, String message, Throwable cause) {
    super(message, cause);
    this.file = file;
  }

  /** The same without a cause. */
  public KeptStateException(Path file, String message) {
    super(message);
    this.file = file;
  }

  /** The file. */
  public Path file() {
    return file;
  }
}
