package dev.reprise.stack.source;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The archive that a Flux source or a Program offers at the moment; {@code digest} is empty where
 * it has none.
 */
public record Artifact(String revision, String digest, String url) {
  /**
   * Reads {@code status.artifact}.
   *
   * @throws SourceUnavailable when the object has no usable artifact, or not yet
   */
  public static Artifact of(GenericKubernetesResource resource) throws SourceUnavailable {
    Object status = resource.getAdditionalProperties().get("status");
    JsonNode artifact =
        JsonMapper.shared().valueToTree(status == null ? "" : status).path("artifact");
    String revision = artifact.path("revision").asString("");
    String url = artifact.path("url").asString("");
    if (revision.isEmpty() || url.isEmpty()) {
      throw new SourceUnavailable(
          resource.getKind() + " " + name(resource),
          "offers no artifact yet: look at its own conditions");
    }
    return new Artifact(revision, artifact.path("digest").asString(""), url);
  }

  /** The revision of a Program: its generation, as its text is its spec. */
  public static String programRevision(GenericKubernetesResource program) {
    return Objects.toString(program.getMetadata().getGeneration(), "0");
  }

  private static String name(GenericKubernetesResource resource) {
    return resource.getMetadata() == null ? "" : resource.getMetadata().getName();
  }
}
