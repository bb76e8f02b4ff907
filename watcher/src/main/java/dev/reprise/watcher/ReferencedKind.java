package dev.reprise.watcher;

import dev.reprise.stack.source.Artifact;
import dev.reprise.stack.source.SourceObject;
import dev.reprise.stack.source.SourceUnavailable;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kind of objects that Stacks refer to.
 *
 * @param resource tells it from others: {@code secrets}, {@code programs.pulumi.com}
 * @param context where it is served
 * @param version what of an object matters
 */
record ReferencedKind(String resource, ResourceDefinitionContext context, Version version) {
  static final ReferencedKind SECRETS = input("Secret", "secrets");
  static final ReferencedKind CONFIG_MAPS = input("ConfigMap", "configmaps");

  /** What of an object matters, and what it takes to see it. */
  enum Version {
    /** Any write, seen in the metadata. Nobody here needs what is in a Secret. */
    WRITE,
    /** The generation, seen in the metadata. */
    GENERATION,
    /** The artifact in the status. */
    ARTIFACT
  }

  /** The kind of a source. */
  static ReferencedKind of(SourceObject source) {
    ResourceDefinitionContext kind = source.kind();
    return new ReferencedKind(
        "%s.%s/%s".formatted(kind.getPlural(), kind.getGroup(), kind.getVersion()),
        kind,
        source.isProgram() ? Version.GENERATION : Version.ARTIFACT);
  }

  private static ReferencedKind input(String kind, String plural) {
    return new ReferencedKind(
        plural,
        new ResourceDefinitionContext.Builder()
            .withVersion("v1")
            .withKind(kind)
            .withPlural(plural)
            .withNamespaced(true)
            .build(),
        Version.WRITE);
  }

  boolean metadataOnly() {
    return version != Version.ARTIFACT;
  }

  References.Key key(String namespace, String name) {
    return new References.Key(resource, namespace, name);
  }

  References.Key key(GenericKubernetesResource object) {
    return key(object.getMetadata().getNamespace(), object.getMetadata().getName());
  }

  References.Sight sight(GenericKubernetesResource object) {
    return new References.Sight(
        switch (version) {
          case WRITE -> Objects.toString(object.getMetadata().getResourceVersion(), "");
          case GENERATION -> Artifact.programRevision(object);
          case ARTIFACT -> artifact(object);
        },
        written(object.getMetadata()));
  }

  private static String artifact(GenericKubernetesResource object) {
    try {
      return Artifact.of(object).revision();
    } catch (SourceUnavailable e) {
      return "";
    }
  }

  /** When the object was written last, as far as its metadata tell. */
  private static Instant written(ObjectMeta metadata) {
    return Stream.concat(
            Stream.ofNullable(metadata.getCreationTimestamp()),
            Stream.ofNullable(metadata.getManagedFields())
                .flatMap(fields -> fields.stream().map(ManagedFieldsEntry::getTime)))
        .filter(Objects::nonNull)
        .map(ReferencedKind::time)
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  /** The resource tells one from another; a context has no equality of its own. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReferencedKind kind && resource.equals(kind.resource);
  }

  @Override
  public int hashCode() {
    return resource.hashCode();
  }
}
