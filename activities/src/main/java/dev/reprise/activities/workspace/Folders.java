package dev.reprise.activities.workspace;

import dev.reprise.workflows.activity.StackRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The folders of local workspaces, each with a note of whose it is. */
final class Folders {
  /** The agent's state within a workspace's folder. */
  static final String AGENT = "agent";

  private static final Logger LOG = LoggerFactory.getLogger(Folders.class);
  private static final String NOTE = "stack.json";
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path root;

  Folders(Path root) {
    this.root = root;
  }

  Path of(StackRef stack) {
    String uid = stack.uid().substring(0, Math.min(8, stack.uid().length()));
    return root.resolve(stack.namespace()).resolve(stack.name() + "-" + uid);
  }

  /** Readable by the owner only: logs and state may hold what a program prints. */
  void create(StackRef stack) throws IOException {
    Path folder = of(stack);
    Files.createDirectories(
        folder.resolve(AGENT),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path note = folder.resolve(NOTE);
    if (!Files.exists(note)) {
      PrivateFile.write(note, JSON.writeValueAsString(stack));
    }
  }

  /** Whose folders there are. */
  List<StackRef> all() {
    List<StackRef> stacks = new ArrayList<>();
    try (Stream<Path> notes = Files.find(root, 3, (path, a) -> path.endsWith(NOTE))) {
      notes.forEach(note -> read(note).ifPresent(stacks::add));
      return stacks;
    } catch (NoSuchFileException e) {
      return stacks;
    } catch (IOException e) {
      throw new UncheckedIOException("reading the workspaces in " + root, e);
    }
  }

  /** A damaged folder is left to people; it must not keep the others from being looked at. */
  private Optional<StackRef> read(Path note) {
    try {
      JsonNode json = JSON.readTree(Files.readString(note));
      StackRef stack =
          new StackRef(
              json.path("namespace").asString(""),
              json.path("name").asString(""),
              json.path("uid").asString(""));
      if (of(stack).equals(note.getParent())) {
        return Optional.of(stack);
      }
      LOG.warn("{} does not belong to the folder it lies in; left alone", note);
    } catch (IOException | JacksonException e) {
      LOG.warn("{} cannot be read; its folder is left alone: {}", note, e.getMessage());
    }
    return Optional.empty();
  }

  void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
