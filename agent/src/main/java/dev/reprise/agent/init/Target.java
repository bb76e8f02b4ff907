package dev.reprise.agent.init;

import dev.reprise.agent.operation.Durable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The folder to fill. What an earlier start put there is removed first, so a container that is
 * started again succeeds; a folder with files of someone else is refused. A marker file beside the
 * folder tells the two apart.
 */
record Target(Path folder) {

  static Target of(Path folder) {
    return new Target(folder.toAbsolutePath().normalize());
  }

  /**
   * Makes room: afterwards the folder does not exist, but its parent does.
   *
   * @throws IOException if it holds what is not ours, or cannot be removed
   */
  void clear() throws IOException {
    Path marker = sibling("." + folder.getFileName() + ".init");
    if (!Files.exists(marker) && !isFree()) {
      throw new IOException(
          "the target folder "
              + folder
              + " holds files that did not come from here: name an empty or a new one");
    }
    Files.createDirectories(marker.getParent() == null ? Path.of("/") : marker.getParent());
    if (!Files.exists(marker)) {
      Files.createFile(marker);
    }
    Durable.delete(partial());
    Durable.delete(folder);
  }

  /** Where to build it up before it is renamed. */
  Path partial() {
    return sibling(folder.getFileName() + ".partial");
  }

  private Path sibling(String name) {
    return folder.resolveSibling(name);
  }

  private boolean isFree() throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> content = Files.list(folder)) {
      return content.findAny().isEmpty();
    }
  }
}
