package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The variables of containers: the image's, the cluster's, and those that the pod asks for. */
final class Environment {
  private static final String DEFAULT_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final PodApi api;
  private final String apiHost;
  private final int apiPort;

  /**
   * For the pods of a cluster.
   *
   * @param apiHost where pods reach the API server
   */
  Environment(PodApi api, String apiHost, int apiPort) {
    this.api = api;
    this.apiHost = apiHost;
    this.apiPort = apiPort;
  }

  /**
   * All variables of a container.
   *
   * @throws NotConfigured when something it refers to is not there
   */
  Map<String, String> of(PodFields fields, Container container, Image image) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PATH", DEFAULT_PATH);
    variables.put("HOME", image.user().uid() == 0 ? "/root" : "/");
    variables.putAll(image.environment());
    variables.put("HOSTNAME", hostname(fields));
    variables.put("KUBERNETES_SERVICE_HOST", apiHost);
    variables.put("KUBERNETES_SERVICE_PORT", Integer.toString(apiPort));
    variables.put("KUBERNETES_SERVICE_PORT_HTTPS", Integer.toString(apiPort));
    for (EnvFromSource source : container.getEnvFrom()) {
      variables.putAll(all(fields, source));
    }
    for (EnvVar variable : container.getEnv()) {
      value(fields, container, variable, variables)
          .ifPresent(value -> variables.put(variable.getName(), value));
    }
    return variables;
  }

  /** The name that a pod has for itself. */
  static String hostname(PodFields fields) {
    return Optional.ofNullable(fields.pod().getSpec().getHostname())
        .orElse(fields.pod().getMetadata().getName());
  }

  private Map<String, String> all(PodFields fields, EnvFromSource source) {
    String namespace = fields.pod().getMetadata().getNamespace();
    Map<String, byte[]> found = Map.of();
    if (source.getSecretRef() != null) {
      found =
          required(
              api.secret(namespace, source.getSecretRef().getName()),
              source.getSecretRef().getOptional(),
              "secret",
              source.getSecretRef().getName());
    } else if (source.getConfigMapRef() != null) {
      found =
          required(
              api.configMap(namespace, source.getConfigMapRef().getName()),
              source.getConfigMapRef().getOptional(),
              "configmap",
              source.getConfigMapRef().getName());
    }
    String prefix = Optional.ofNullable(source.getPrefix()).orElse("");
    Map<String, String> variables = new LinkedHashMap<>();
    found.forEach(
        (key, bytes) -> variables.put(prefix + key, new String(bytes, StandardCharsets.UTF_8)));
    return variables;
  }

  private static Map<String, byte[]> required(
      Optional<Map<String, byte[]>> found, Boolean optional, String kind, String name) {
    if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new NotConfigured(kind + " \"" + name + "\" not found");
    }
    return found.orElse(Map.of());
  }

  private Optional<String> value(
      PodFields fields, Container container, EnvVar variable, Map<String, String> before) {
    EnvVarSource source = variable.getValueFrom();
    if (source == null) {
      String text = Optional.ofNullable(variable.getValue()).orElse("");
      return Optional.of(Expansion.expand(text, before));
    }
    String namespace = fields.pod().getMetadata().getNamespace();
    if (source.getFieldRef() != null) {
      return Optional.of(fields.value(source.getFieldRef().getFieldPath()));
    }
    if (source.getResourceFieldRef() != null) {
      return Optional.of(fields.resource(container, source.getResourceFieldRef()));
    }
    if (source.getSecretKeyRef() != null) {
      var reference = source.getSecretKeyRef();
      return key(
          required(
              api.secret(namespace, reference.getName()),
              reference.getOptional(),
              "secret",
              reference.getName()),
          reference.getKey(),
          reference.getOptional(),
          "Secret " + namespace + "/" + reference.getName());
    }
    if (source.getConfigMapKeyRef() != null) {
      var reference = source.getConfigMapKeyRef();
      return key(
          required(
              api.configMap(namespace, reference.getName()),
              reference.getOptional(),
              "configmap",
              reference.getName()),
          reference.getKey(),
          reference.getOptional(),
          "ConfigMap " + namespace + "/" + reference.getName());
    }
    throw new NotConfigured("unsupported valueFrom of variable " + variable.getName());
  }

  private static Optional<String> key(
      Map<String, byte[]> values, String key, Boolean optional, String where) {
    byte[] value = values.get(key);
    if (value != null) {
      return Optional.of(new String(value, StandardCharsets.UTF_8));
    }
    if (Boolean.TRUE.equals(optional)) {
      return Optional.empty();
    }
    throw new NotConfigured("couldn't find key " + key + " in " + where);
  }
}
