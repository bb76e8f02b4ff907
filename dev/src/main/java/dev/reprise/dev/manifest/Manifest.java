package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;

/**
 * One object of a manifest file.
 *
 * @param file where it is written
 * @param line the first line of its document, from 1; 0 when it is no longer there
 * @param object what is to be applied
 */
public record Manifest(Path file, int line, GenericKubernetesResource object) {
  static final String DEFAULT_NAMESPACE = "default";

  /** The object's name. */
  public String name() {
    return object.getMetadata().getName();
  }

  /** The namespace, or "" when the manifest names none. */
  public String namespace() {
    String namespace = object.getMetadata().getNamespace();
    return namespace == null ? "" : namespace;
  }

  /** The namespace where it goes when its kind has namespaces. */
  String namespaceOrDefault() {
    return namespace().isEmpty() ? DEFAULT_NAMESPACE : namespace();
  }

  /** What identifies the object in a cluster: group, kind, namespace and name. */
  String key() {
    String apiVersion = object.getApiVersion();
    String group = apiVersion.contains("/") ? apiVersion.replaceFirst("/.*", "") : "";
    return String.join("/", group, object.getKind(), namespaceOrDefault(), name());
  }

  /** Kind and name for people, such as {@code Stack default/site}. */
  public String title() {
    return object.getKind() + " " + (namespace().isEmpty() ? "" : namespace() + "/") + name();
  }
}
