package dev.reprise.stack.source;

import dev.reprise.stack.spec.FluxSource.SourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;
import java.util.Optional;

/**
 * The object in a Stack's namespace that its source is, for sources that are objects.
 *
 * @param kind where such objects are served
 * @param name the object's name
 */
public record SourceObject(ResourceDefinitionContext kind, String name) {
  /** Programs: Pulumi YAML kept in the cluster. */
  public static final ResourceDefinitionContext PROGRAMS =
      new ResourceDefinitionContext.Builder()
          .withGroup("pulumi.com")
          .withVersion("v1")
          .withKind("Program")
          .withPlural("programs")
          .withNamespaced(true)
          .build();

  /** The object behind a source; empty when it is no object. */
  public static Optional<SourceObject> of(Source source) {
    return switch (source) {
      case Source.Program program -> Optional.of(new SourceObject(PROGRAMS, program.name()));
      case Source.Flux flux -> Optional.of(new SourceObject(kind(flux.ref()), flux.ref().name()));
      case Source.Git git -> Optional.empty();
      case Source.Archive archive -> Optional.empty();
      case Source.Local local -> Optional.empty();
      case Source.None none -> Optional.empty();
    };
  }

  /**
   * What the object offers now.
   *
   * @throws SourceUnavailable when it offers nothing, or nothing yet
   */
  public String revision(GenericKubernetesResource object) throws SourceUnavailable {
    return isProgram() ? Artifact.programRevision(object) : Artifact.of(object).revision();
  }

  /** Whether it is a Program, whose metadata tell its revision. */
  public boolean isProgram() {
    return kind.equals(PROGRAMS);
  }

  private static ResourceDefinitionContext kind(SourceRef ref) {
    int slash = ref.apiVersion().indexOf('/');
    String lower = ref.kind().toLowerCase(Locale.ROOT);
    return new ResourceDefinitionContext.Builder()
        .withGroup(slash < 0 ? "" : ref.apiVersion().substring(0, slash))
        .withVersion(ref.apiVersion().substring(slash + 1))
        .withKind(ref.kind())
        .withPlural(
            lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s")
        .withNamespaced(true)
        .build();
  }
}
