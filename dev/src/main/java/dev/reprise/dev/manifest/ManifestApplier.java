package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Brings single manifests into a cluster by server-side apply, and takes them back. */
final class ManifestApplier {
  static final String FIELD_MANAGER = "reprise-dev";
  private static final int MOST_UNKNOWN_FIELDS = 50;
  private static final Pattern UNDECLARED =
      Pattern.compile("(\\.[^\\s:]+): field not declared in schema");

  private final KubernetesClient client;

  ManifestApplier(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Applies an object. Fields that the cluster does not know are left out with a warning each.
   *
   * @throws KubernetesClientException when the cluster refuses it
   */
  void apply(Manifest manifest, Consumer<ManifestProblem> problems) {
    ResourceDefinitionContext type = typeOf(manifest.object());
    GenericKubernetesResource object = client.getKubernetesSerialization().clone(manifest.object());
    if (type.isNamespaceScoped()) {
      object.getMetadata().setNamespace(manifest.namespaceOrDefault());
      createNamespace(manifest.namespaceOrDefault());
    }
    for (int i = 0; i < MOST_UNKNOWN_FIELDS; i++) {
      try {
        resource(type, object).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
        return;
      } catch (KubernetesClientException e) {
        Set<String> unknown = undeclared(String.valueOf(e.getMessage()));
        boolean removed = false;
        for (String path : unknown) {
          removed |= remove(object, List.of(path.substring(1).split("\\.", -1)));
          problems.accept(
              ManifestProblem.warning(
                  manifest, path.substring(1) + " is not a known field and is ignored"));
        }
        if (!removed) {
          throw e;
        }
      }
    }
    throw new KubernetesClientException("more than " + MOST_UNKNOWN_FIELDS + " unknown fields");
  }

  void delete(Manifest manifest) {
    ResourceDefinitionContext type = typeOf(manifest.object());
    GenericKubernetesResource object = client.getKubernetesSerialization().clone(manifest.object());
    if (type.isNamespaceScoped()) {
      object.getMetadata().setNamespace(manifest.namespaceOrDefault());
    }
    resource(type, object).delete();
  }

  private Resource<GenericKubernetesResource> resource(
      ResourceDefinitionContext type, GenericKubernetesResource object) {
    var resources = client.genericKubernetesResources(type);
    return type.isNamespaceScoped()
        ? resources.inNamespace(object.getMetadata().getNamespace()).resource(object)
        : resources.resource(object);
  }

  /**
   * The objects of a namespaced kind that an earlier or present session applied and nobody is
   * deleting; none when the cluster does not know the kind.
   */
  List<GenericKubernetesResource> appliedOf(String apiVersion, String kind) {
    return findType(apiVersion, kind)
        .filter(ResourceDefinitionContext::isNamespaceScoped)
        .map(type -> client.genericKubernetesResources(type).inAnyNamespace().list().getItems())
        .orElse(List.of())
        .stream()
        .filter(object -> object.getMetadata().getDeletionTimestamp() == null)
        .filter(
            object ->
                object.getMetadata().getManagedFields().stream()
                    .filter(entry -> FIELD_MANAGER.equals(entry.getManager()))
                    .anyMatch(entry -> "Apply".equals(entry.getOperation())))
        .toList();
  }

  private ResourceDefinitionContext typeOf(GenericKubernetesResource object) {
    String apiVersion = object.getApiVersion();
    return findType(apiVersion, object.getKind())
        .orElseThrow(
            () ->
                new KubernetesClientException(
                    "the cluster does not know %s %s; correct apiVersion and kind, or install its CRD"
                        .formatted(apiVersion, object.getKind())));
  }

  private Optional<ResourceDefinitionContext> findType(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return Optional.ofNullable(client.getApiResources(apiVersion))
        .map(APIResourceList::getResources)
        .orElse(List.of())
        .stream()
        .filter(each -> each.getKind().equals(kind))
        .filter(each -> !each.getName().contains("/"))
        .findFirst()
        .map(
            found ->
                new ResourceDefinitionContext.Builder()
                    .withGroup(slash < 0 ? "" : apiVersion.substring(0, slash))
                    .withVersion(apiVersion.substring(slash + 1))
                    .withKind(kind)
                    .withPlural(found.getName())
                    .withNamespaced(Objects.requireNonNullElse(found.getNamespaced(), false))
                    .build());
  }

  private void createNamespace(String name) {
    if (client.namespaces().withName(name).get() != null) {
      return;
    }
    try {
      client
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
  }

  private static Set<String> undeclared(String message) {
    Set<String> paths = new LinkedHashSet<>();
    Matcher matcher = UNDECLARED.matcher(message);
    while (matcher.find()) {
      paths.add(matcher.group(1).replaceAll("\\[[^]]*]", ""));
    }
    return paths;
  }

  private static boolean remove(GenericKubernetesResource object, List<String> path) {
    return path.size() == 1
        ? object.getAdditionalProperties().remove(path.getFirst()) != null
        : removeBelow(
            object.getAdditionalProperties().get(path.getFirst()), path.subList(1, path.size()));
  }

  private static boolean removeBelow(
      @org.jspecify.annotations.Nullable Object node, List<String> path) {
    if (node instanceof List<?> list) {
      boolean removed = false;
      for (Object item : list) {
        removed |= removeBelow(item, path);
      }
      return removed;
    }
    if (node instanceof Map<?, ?> map) {
      return path.size() == 1
          ? map.keySet().remove(path.getFirst())
          : removeBelow(map.get(path.getFirst()), path.subList(1, path.size()));
    }
    return false;
  }
}
