package dev.reprise.stack.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one file contributes to a directory's digest; {@code size} in bytes and {@code modified}
 * tell whether it has to be read.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, only fed to a digest
record FileEntry(long size, Instant modified, char kind, byte[] content) {
  /** Reads the file, unless {@code before} is of the same size and time. */
  static FileEntry read(Path file, BasicFileAttributes attributes, @Nullable FileEntry before)
      throws IOException {
    long size = attributes.size();
    Instant modified = attributes.lastModifiedTime().toInstant();
    if (attributes.isSymbolicLink()) {
      String target = Files.readSymbolicLink(file).toString();
      byte[] content = Digests.sha256().digest(target.getBytes(StandardCharsets.UTF_8));
      return new FileEntry(size, modified, 'l', content);
    }
    char kind = Files.isExecutable(file) ? 'x' : '-';
    if (before != null
        && before.kind != 'l'
        && before.size == size
        && before.modified.equals(modified)) {
      return new FileEntry(size, modified, kind, before.content);
    }
    return new FileEntry(size, modified, kind, Digests.ofFile(file));
  }
}
