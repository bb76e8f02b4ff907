package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.InputMissing;
import dev.reprise.activities.kube.SourceObjects;
import dev.reprise.stack.source.Artifact;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceObject;
import dev.reprise.stack.source.SourceUnavailable;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds the very version of a source that was decided on. */
final class ProgramResolver {
  private final SourceObjects objects;

  ProgramResolver(SourceObjects objects) {
    this.objects = objects;
  }

  /** The source points at another revision by now than the attempt was decided on. */
  static final class MovedOn extends Exception {
    private static final long serialVersionUID = 1;

    MovedOn(String revision) {
      super("the source is at revision " + revision + " by now");
    }
  }

  /**
   * Finds it.
   *
   * @param revision the revision decided on; "" = whatever there is
   */
  Program resolve(Source source, String revision, String namespace)
      throws SourceUnavailable, InputMissing, MovedOn {
    return switch (source) {
      case Source.Git git ->
          new Program.Git(
              git.url(),
              revision.isEmpty() ? git.ref() : revision,
              git.dir(),
              git.shallow(),
              git.auth(),
              git.authSecret());
      case Source.Flux flux ->
          archive(Artifact.of(object(source, namespace)), revision, flux.dir());
      case Source.Program program -> {
        GenericKubernetesResource object = object(source, namespace);
        String now = Artifact.programRevision(object);
        if (!revision.isEmpty() && !revision.equals(now)) {
          throw new MovedOn(now);
        }
        yield text(object);
      }
      case Source.Archive archive ->
          new Program.Archive(archive.url(), archive.digest(), archive.dir());
      case Source.Local local -> new Program.Local(local.dir());
      case Source.None none -> new Program.Own();
    };
  }

  private GenericKubernetesResource object(Source source, String namespace) throws InputMissing {
    return objects.get(SourceObject.of(source).orElseThrow(), namespace);
  }

  /** The Pulumi Kubernetes Operator makes the same project of it. */
  private static Program text(GenericKubernetesResource program) {
    ObjectNode project = JsonNodeFactory.instance.objectNode();
    project.put("name", program.getMetadata().getName()).put("runtime", "yaml");
    if (JsonMapper.shared().valueToTree(program.getAdditionalProperties().get("program"))
        instanceof ObjectNode fields) {
      project.setAll(fields);
    }
    return new Program.Text(project.toPrettyString());
  }

  private static Program archive(Artifact artifact, String revision, String dir) throws MovedOn {
    if (!revision.isEmpty() && !revision.equals(artifact.revision())) {
      throw new MovedOn(artifact.revision());
    }
    return new Program.Archive(artifact.url(), artifact.digest(), dir);
  }
}
