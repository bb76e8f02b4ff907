package dev.reprise.e2e.pod;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits of memory, by control groups of this machine in whichever of the two versions it has. */
final class MemoryGroups {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryGroups.class);

  private final Path parent;
  private final Names files;

  /** The names that a version has. */
  private record Names(String limit, String swap, String swapLimit, String events) {}

  private static final Names FIRST =
      new Names(
          "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "same", "memory.oom_control");
  private static final Names SECOND =
      new Names("memory.max", "memory.swap.max", "0", "memory.events");

  private MemoryGroups(Path parent, Names files) {
    this.parent = parent;
    this.files = files;
  }

  /**
   * Those of this machine, without what a killed run left; empty where memory cannot be limited.
   *
   * @param prefix what the names of all groups of this run begin with
   */
  static Optional<MemoryGroups> open(String prefix) {
    Optional<MemoryGroups> groups = find(Path.of("/sys/fs/cgroup"));
    groups.ifPresentOrElse(
        found -> found.clear(prefix),
        () -> LOG.warn("this machine cannot limit memory; the limits of pods are not kept"));
    return groups;
  }

  private static Optional<MemoryGroups> find(Path root) {
    try {
      if (Files.exists(root.resolve("memory/" + FIRST.limit()))) {
        return Optional.of(new MemoryGroups(root.resolve("memory"), FIRST));
      }
      Path controllers = root.resolve("cgroup.controllers");
      if (Files.exists(controllers) && Files.readString(controllers).contains("memory")) {
        Files.writeString(root.resolve("cgroup.subtree_control"), "+memory");
        return Optional.of(new MemoryGroups(root, SECOND));
      }
      return Optional.empty();
    } catch (IOException e) {
      LOG.debug("no control groups", e);
      return Optional.empty();
    }
  }

  private void clear(String prefix) {
    try (Stream<Path> all = Files.list(parent)) {
      for (Path group : all.filter(one -> name(one).startsWith(prefix)).toList()) {
        remove(group);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /**
   * Makes a group anew.
   *
   * @return its folder; who writes its process id into {@code cgroup.procs} there belongs to it
   */
  Path make(String name, long bytes) {
    Path group = parent.resolve(name);
    remove(group);
    try {
      Files.createDirectory(group);
      Files.writeString(group.resolve(files.limit()), Long.toString(bytes));
      if (Files.exists(group.resolve(files.swap()))) {
        Files.writeString(
            group.resolve(files.swap()),
            files.swapLimit().equals("same") ? Long.toString(bytes) : files.swapLimit());
      }
      return group;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether somebody in a group was ended for want of memory. */
  boolean exhausted(Path group) {
    try {
      List<String> lines = Files.readAllLines(group.resolve(files.events()));
      return lines.stream().anyMatch(line -> line.matches("oom_kill [1-9]\\d*"));
    } catch (IOException e) {
      LOG.debug("group {} cannot be read", group, e);
      return false;
    }
  }

  /** Removes a group; nobody may be in it any more. */
  void remove(Path group) {
    try {
      Files.deleteIfExists(group);
    } catch (IOException e) {
      LOG.warn("control group {} is left", group, e);
    }
  }
}
