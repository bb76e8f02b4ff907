package dev.reprise.activities.workspace;

import dev.reprise.stack.status.ProjectInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** The program folder that a workspace's agent was last started in, for a destroy later on. */
final class LastProgram {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Path folder;

  LastProgram(Path folder) {
    this.folder = folder;
  }

  /** The folder, if it is still there. */
  Optional<Path> known() throws IOException {
    try {
      return Optional.of(Path.of(Files.readString(note()))).filter(Files::isDirectory);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  Path keep(Path program) throws IOException {
    if (!known().equals(Optional.of(program))) {
      PrivateFile.write(note(), program.toString());
    }
    return program;
  }

  /** A Pulumi project without a program, which is enough to destroy what its stack records. */
  Path bare(ProjectInfo project) throws IOException {
    Path bare = Files.createDirectories(folder.resolve("project"));
    // JSON is YAML too, and quotes whatever the names hold.
    PrivateFile.write(
        bare.resolve("Pulumi.yaml"),
        JSON.createObjectNode()
            .put("name", project.name())
            .put("runtime", project.runtime())
            .toString());
    return bare;
  }

  private Path note() {
    return folder.resolve("program");
  }
}
