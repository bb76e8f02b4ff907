package dev.reprise.agent.init;

import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a project file that is enough to destroy a stack without its program. */
public final class ProjectInit {
  private static final YAMLMapper YAML =
      YAMLMapper.builder().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER).build();

  /**
   * Makes the folder if needed and puts a {@code Pulumi.yaml} into it.
   *
   * @throws IOException if it holds another project already, or cannot be written
   */
  public void run(Path folder, String name, String runtime) throws IOException {
    Map<String, String> project = new LinkedHashMap<>();
    project.put("name", name);
    project.put("runtime", runtime);
    byte[] content = YAML.writeValueAsBytes(project);
    Path file = folder.resolve("Pulumi.yaml");
    if (Files.exists(file)) {
      if (Arrays.equals(Files.readAllBytes(file), content)) {
        return;
      }
      throw new IOException(file + " is there already and is another project: name a new folder");
    }
    Files.createDirectories(folder);
    Path next = folder.resolve("Pulumi.yaml.next");
    Files.write(next, content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
