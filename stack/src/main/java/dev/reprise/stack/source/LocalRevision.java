package dev.reprise.stack.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The revision of a directory: a digest over the paths, contents and executable bits of its files.
 * What an operation itself writes there does not count, or it would cause the next one: {@code
 * Pulumi.<stack>.yaml}, {@code node_modules}, {@code __pycache__}, {@code venv}, {@code .venv}; nor
 * do {@code .git}, {@code .reprise} and empty folders. A symbolic link counts by its target's name
 * and is not followed.
 */
public final class LocalRevision {
  private static final int MOST_FILES = 50_000;
  private static final long MOST_BYTES = 1L << 30;

  // A file may change again within the granularity of its time stamp; until that has passed it is
  // read anew each time.
  private static final Duration SETTLED = Duration.ofSeconds(3);

  private final InstantSource clock;
  private final int mostFiles;
  private final long mostBytes;
  private final Map<Path, Map<String, FileEntry>> known = new ConcurrentHashMap<>();

  /**
   * Makes a resolver that remembers the contents of files whose size and time stamp stay the same.
   *
   * @param clock tells which time stamps are old enough to be trusted
   */
  public LocalRevision(InstantSource clock) {
    this(clock, MOST_FILES, MOST_BYTES);
  }

  LocalRevision(InstantSource clock, int mostFiles, long mostBytes) {
    this.clock = clock;
    this.mostFiles = mostFiles;
    this.mostBytes = mostBytes;
  }

  /**
   * The digest of a directory as {@code sha256:} and 64 hexadecimal digits.
   *
   * @throws SourceUnavailable when it is no directory, cannot be read, or holds more than 50,000
   *     files or 1 GiB
   */
  public String of(Path directory) throws SourceUnavailable {
    Path root = directory.toAbsolutePath().normalize();
    if (!Files.isDirectory(root)) {
      known.remove(root);
      throw new SourceUnavailable("folder " + root, "does not exist or is no folder");
    }
    try {
      Instant trusted = clock.instant().minus(SETTLED);
      Map<String, FileEntry> before = known.getOrDefault(root, Map.of());
      SortedMap<String, FileEntry> now =
          new DirectoryWalk(root, before, mostFiles, mostBytes).entries();
      Map<String, FileEntry> settled = new TreeMap<>(now);
      settled.values().removeIf(entry -> entry.modified().isAfter(trusted));
      known.put(root, settled);
      return "sha256:" + digest(now);
    } catch (IOException e) {
      throw new SourceUnavailable(
          "folder " + root, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static String digest(SortedMap<String, FileEntry> entries) {
    MessageDigest digest = Digests.sha256();
    entries.forEach(
        (path, entry) -> {
          digest.update(Digests.framed(path));
          digest.update((byte) entry.kind());
          digest.update(entry.content());
        });
    return HexFormat.of().formatHex(digest.digest());
  }
}
