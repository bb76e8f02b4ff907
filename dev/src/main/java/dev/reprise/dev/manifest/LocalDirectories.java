package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.util.Map;

/**
 * Makes {@code spec.workspaceTemplate.spec.local.dir} of a Stack absolute: a person writes it
 * relative to the manifest, and who reads the object no longer knows where that was.
 */
final class LocalDirectories {
  private LocalDirectories() {}

  static GenericKubernetesResource resolve(Path file, GenericKubernetesResource object) {
    if (object.getKind().equals("Stack")
        && object.getApiVersion().startsWith("pulumi.com/")
        && object.get("spec", "workspaceTemplate", "spec", "local") instanceof Map<?, ?> local
        && local.get("dir") instanceof String dir) {
      Path folder = file.toAbsolutePath().resolveSibling(dir).normalize();
      @SuppressWarnings("unchecked")
      Map<String, Object> writable = (Map<String, Object>) local;
      writable.put("dir", folder.toString());
    }
    return object;
  }
}
