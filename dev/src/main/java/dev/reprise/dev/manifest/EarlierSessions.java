package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds what earlier sessions applied from the same folder or file. Each kind is looked at once:
 * what is applied after that, this session knows itself.
 */
final class EarlierSessions {
  private record Kind(String apiVersion, String kind) {}

  /** Kinds that matter even when no manifest of theirs is left. */
  private static final List<Kind> ALWAYS =
      List.of(
          new Kind("pulumi.com/v1", "Stack"),
          new Kind("pulumi.com/v1", "Program"),
          new Kind("v1", "Secret"),
          new Kind("v1", "ConfigMap"));

  private final Path root;
  private final ManifestApplier applier;
  private final Set<Kind> looked = new HashSet<>();

  /**
   * @param root the folder, or the one file, whose objects are of interest; absolute
   */
  EarlierSessions(Path root, ManifestApplier applier) {
    this.root = root;
    this.applier = applier;
  }

  /**
   * The objects of kinds not looked at before, under the files from which they were applied. A kind
   * that cannot be listed is a problem, and is tried again the next time.
   */
  List<Manifest> find(List<Manifest> present, Consumer<ManifestProblem> problems) {
    Set<Kind> kinds = new LinkedHashSet<>(ALWAYS);
    present.forEach(each -> kinds.add(kindOf(each.object())));
    kinds.removeAll(looked);
    List<Manifest> found = new ArrayList<>();
    for (Kind kind : kinds) {
      try {
        applier
            .appliedOf(kind.apiVersion(), kind.kind())
            .forEach(
                object ->
                    Origin.of(object)
                        .filter(this::isOurs)
                        .ifPresent(file -> found.add(new Manifest(file, 0, object))));
        looked.add(kind);
      } catch (KubernetesClientException e) {
        problems.accept(
            ManifestProblem.error(
                root,
                0,
                0,
                "whether a %s was removed since the last session is not known: %s"
                    .formatted(kind.kind(), ManifestFolder.reason(e))));
      }
    }
    return found;
  }

  private static Kind kindOf(GenericKubernetesResource object) {
    return new Kind(object.getApiVersion(), object.getKind());
  }

  private boolean isOurs(Path file) {
    return file.equals(root) || root.equals(file.getParent());
  }
}
