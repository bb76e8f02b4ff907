package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The annotation that tells from which file an object was applied, so that a later session knows
 * whose removal is its business.
 */
final class Origin {
  static final String ANNOTATION = "reprise.dev/manifest";

  private Origin() {}

  static void mark(Path file, GenericKubernetesResource object) {
    Map<String, String> annotations = annotations(object);
    annotations.put(ANNOTATION, file.toAbsolutePath().toString());
    object.getMetadata().setAnnotations(annotations);
  }

  /** A copy; a manifest may say {@code annotations:} and nothing more. */
  private static Map<String, String> annotations(GenericKubernetesResource object) {
    return new HashMap<>(
        Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of()));
  }

  static Optional<Path> of(GenericKubernetesResource object) {
    String file = annotations(object).getOrDefault(ANNOTATION, "");
    try {
      return Optional.of(Path.of(file)).filter(Path::isAbsolute);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }
}
