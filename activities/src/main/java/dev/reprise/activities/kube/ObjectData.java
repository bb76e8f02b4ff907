package dev.reprise.activities.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The Secrets and ConfigMaps of one namespace, each read once, and what was used of them. */
final class ObjectData {
  private static final String SECRET = "Secret";
  private static final String CONFIG_MAP = "ConfigMap";

  private final KubernetesClient client;
  private final String namespace;
  private final Map<String, Map<String, String>> read = new HashMap<>();
  private final SortedMap<String, String> used = new TreeMap<>();

  ObjectData(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** Each value that was asked for, by "kind/object/key". */
  SortedMap<String, String> used() {
    return used;
  }

  Map<String, String> secret(String name, String path) throws InputMissing {
    return use(SECRET, name, data(SECRET, name, path, () -> secretData(name)));
  }

  Map<String, String> configMap(String name, String path) throws InputMissing {
    return use(CONFIG_MAP, name, data(CONFIG_MAP, name, path, () -> configMapData(name)));
  }

  String secretKey(String name, String key, String path) throws InputMissing {
    return key(SECRET, name, key, path, data(SECRET, name, path, () -> secretData(name)));
  }

  String configMapKey(String name, String key, String path) throws InputMissing {
    return key(
        CONFIG_MAP, name, key, path, data(CONFIG_MAP, name, path, () -> configMapData(name)));
  }

  private Map<String, String> use(String kind, String name, Map<String, String> values) {
    values.forEach((key, value) -> used.put(kind + "/" + name + "/" + key, value));
    return values;
  }

  private String key(String kind, String name, String key, String path, Map<String, String> values)
      throws InputMissing {
    String value = values.get(key);
    if (value == null) {
      throw new InputMissing(
          "%s: %s %s/%s has no key %s: add it".formatted(path, kind, namespace, name, key));
    }
    used.put(kind + "/" + name + "/" + key, value);
    return value;
  }

  private Map<String, String> data(
      String kind, String name, String path, Supplier<Map<String, String>> reader)
      throws InputMissing {
    if (name.isEmpty()) {
      throw new InputMissing("%s names no %s: name one".formatted(path, kind));
    }
    String id = kind + "/" + name;
    Map<String, String> known = read.get(id);
    if (known != null) {
      return known;
    }
    try {
      Map<String, String> fresh = reader.get();
      read.put(id, fresh);
      return fresh;
    } catch (KubernetesClientException e) {
      throw switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND ->
            new InputMissing(
                "%s: %s %s/%s does not exist: create it".formatted(path, kind, namespace, name));
        case HttpURLConnection.HTTP_FORBIDDEN ->
            new InputMissing(
                "%s: reading %s %s/%s was refused: grant get on %ss in namespace %s"
                    .formatted(
                        path, kind, namespace, name, kind.toLowerCase(Locale.ROOT), namespace));
        default -> throw e;
      };
    }
  }

  private Map<String, String> secretData(String name) {
    Secret secret = StackObjects.require(client.secrets().inNamespace(namespace).withName(name));
    Map<String, String> values = new TreeMap<>();
    orEmpty(secret.getData()).forEach((key, value) -> values.put(key, decode(value)));
    return values;
  }

  private Map<String, String> configMapData(String name) {
    ConfigMap map = StackObjects.require(client.configMaps().inNamespace(namespace).withName(name));
    Map<String, String> values = new TreeMap<>(orEmpty(map.getData()));
    orEmpty(map.getBinaryData()).forEach((key, value) -> values.put(key, decode(value)));
    return values;
  }

  private static String decode(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
