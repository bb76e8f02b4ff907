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
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The folders of local workspaces, each with a note of whose it is. */
final class Folders {
  /** The agent's state within a workspace's folder. */
  static final String AGENT = "agent";

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
      Files.writeString(note, JSON.writeValueAsString(stack));
    }
  }

  /** Whose folders there are. */
  List<StackRef> all() {
    List<StackRef> stacks = new ArrayList<>();
    try (Stream<Path> notes = Files.find(root, 3, (path, a) -> path.endsWith(NOTE))) {
      for (Path note : (Iterable<Path>) notes::iterator) {
        JsonNode stack = JSON.readTree(Files.readString(note));
        stacks.add(
            new StackRef(
                stack.path("namespace").asString(""),
                stack.path("name").asString(""),
                stack.path("uid").asString("")));
      }
      return stacks;
    } catch (NoSuchFileException e) {
      return stacks;
    } catch (IOException | JacksonException e) {
      throw new UncheckedIOException(new IOException("reading the workspaces in " + root, e));
    }
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
