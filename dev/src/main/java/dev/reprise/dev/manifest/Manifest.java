package dev.reprise.dev.manifest;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;

/**
 * One object of a manifest file.
 *
 * @param file where it is written
 * @param line the first line of its document, from 1
 * @param object what is to be applied
 */
public record Manifest(Path file, int line, GenericKubernetesResource object) {
  /** The object's name. */
  public String name() {
    return object.getMetadata().getName();
  }

  /** The namespace, or "" when the manifest names none. */
  public String namespace() {
    String namespace = object.getMetadata().getNamespace();
    return namespace == null ? "" : namespace;
  }

  /** What identifies the object in a cluster: group, kind, namespace and name. */
  String key() {
    String apiVersion = object.getApiVersion();
    String group = apiVersion.contains("/") ? apiVersion.replaceFirst("/.*", "") : "";
    return String.join("/", group, object.getKind(), namespace(), name());
  }

  /** Kind and name for people, such as {@code Stack default/site}. */
  public String title() {
    return object.getKind() + " " + (namespace().isEmpty() ? "" : namespace() + "/") + name();
  }
}
