package dev.reprise.agent.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.agent.ProjectInfo;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The project file of a workspace, as far as the protocol tells of it. */
final class PulumiProject {
  private static final YAMLMapper YAML = new YAMLMapper();

  private PulumiProject() {}

  static Optional<Path> file(Path workspace) {
    return Stream.of("Pulumi.yaml", "Pulumi.yml")
        .map(workspace::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  static ProjectInfo read(Path workspace) throws OperationException {
    Path file =
        file(workspace)
            .orElseThrow(
                () ->
                    OperationException.of(
                        Status.Code.FAILED_PRECONDITION, "no Pulumi.yaml in " + workspace));
    JsonNode project;
    try {
      project = YAML.readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw OperationException.of(
          Status.Code.FAILED_PRECONDITION, file + " is not YAML: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw OperationException.of(Status.Code.FAILED_PRECONDITION, file + " cannot be read");
    }
    JsonNode runtime = project.path("runtime");
    return ProjectInfo.newBuilder()
        .setName(project.path("name").asText())
        .setRuntime(runtime.isObject() ? runtime.path("name").asText() : runtime.asText())
        .build();
  }
}
