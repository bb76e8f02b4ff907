package dev.reprise.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The checkouts of one workspace, a folder per revision. The file {@code current} names the one in
 * use and the one before it, which a running agent may still be in; older ones are deleted.
 */
final class Checkouts {
  private static final int KEPT = 2;
  private static final String CURRENT = "current";

  private final Path folder;

  Checkouts(Path folder) {
    this.folder = folder;
  }

  /** What was run last: a destroy runs with that, whatever was checked out when. */
  Optional<Path> current() throws IOException {
    return revisions().stream().findFirst().map(folder::resolve).filter(Files::isDirectory);
  }

  /** Notes that a checkout is in use now. */
  void use(String revision) throws IOException {
    List<String> before = revisions();
    if (!before.isEmpty() && before.getFirst().equals(revision)) {
      return;
    }
    List<String> now = new ArrayList<>(before);
    now.remove(revision);
    now.addFirst(revision);
    List<String> kept = now.subList(0, Math.min(KEPT, now.size()));
    DevInstance.writePrivate(
        folder.resolve(CURRENT), String.join("\n", kept).getBytes(StandardCharsets.UTF_8));
    try (Stream<Path> all = Files.list(folder)) {
      for (Path old : all.filter(Files::isDirectory).toList()) {
        if (!kept.contains(String.valueOf(old.getFileName()))) {
          delete(old);
        }
      }
    }
  }

  private List<String> revisions() throws IOException {
    try {
      return Files.readAllLines(folder.resolve(CURRENT));
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  private static void delete(Path old) throws IOException {
    try (Stream<Path> tree = Files.walk(old)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
