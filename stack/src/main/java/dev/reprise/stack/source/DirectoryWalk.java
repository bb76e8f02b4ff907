package dev.reprise.stack.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** One walk over the files of a directory, which ends early when there are too many. */
final class DirectoryWalk extends SimpleFileVisitor<Path> {
  private static final Set<String> IGNORED =
      Set.of(".git", ".reprise", "node_modules", "__pycache__", "venv", ".venv");

  /** A stack's settings, which Pulumi writes itself when it is configured. */
  private static final Pattern STACK_SETTINGS = Pattern.compile("Pulumi\\.[^.]+\\.ya?ml");

  /** Where command programs may leave their outputs, in the folder's root. */
  private static final String OUTPUTS = "outputs.json";

  private final Path root;
  private final Map<String, FileEntry> before;
  private final int mostFiles;
  private final long mostBytes;
  private final SortedMap<String, FileEntry> entries = new TreeMap<>();
  private long bytes;
  private boolean tooLarge;

  DirectoryWalk(Path root, Map<String, FileEntry> before, int mostFiles, long mostBytes) {
    this.root = root;
    this.before = before;
    this.mostFiles = mostFiles;
    this.mostBytes = mostBytes;
  }

  /**
   * The files by their path, whose parts are joined by slashes, in an order that every system
   * agrees on.
   */
  SortedMap<String, FileEntry> entries() throws IOException, SourceUnavailable {
    Files.walkFileTree(root, this);
    if (tooLarge) {
      throw new SourceUnavailable(
          "folder " + root,
          "holds more than "
              + mostFiles
              + " files or "
              + mostBytes
              + " bytes: move what the program does not need elsewhere");
    }
    return entries;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
    boolean ignored = !folder.equals(root) && IGNORED.contains(folder.getFileName().toString());
    return ignored ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    // The .git of a worktree or submodule is a file.
    String name = file.getFileName().toString();
    if (attributes.isOther()
        || IGNORED.contains(name)
        || STACK_SETTINGS.matcher(name).matches()
        || file.equals(root.resolve(OUTPUTS))) {
      return FileVisitResult.CONTINUE;
    }
    bytes += attributes.size();
    if (entries.size() >= mostFiles || bytes > mostBytes) {
      tooLarge = true;
      return FileVisitResult.TERMINATE;
    }
    String path = root.relativize(file).toString().replace('\\', '/');
    try {
      entries.put(path, FileEntry.read(file, attributes, before.get(path)));
    } catch (NoSuchFileException e) {
      return visitFileFailed(file, e);
    }
    return FileVisitResult.CONTINUE;
  }

  // Editors and compilers make files that vanish at once; one that has gone is not part of the
  // directory.
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (failure instanceof NoSuchFileException && !file.equals(root)) {
      return FileVisitResult.CONTINUE;
    }
    throw failure;
  }
}
