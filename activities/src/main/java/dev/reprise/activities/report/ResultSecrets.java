package dev.reprise.activities.report;

import dev.reprise.activities.operation.ResultSecret;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** The results a Stack's operations left in Secrets. */
final class ResultSecrets {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String MASKED = "[secret]";

  private final KubernetesClient client;

  ResultSecrets(KubernetesClient client) {
    this.client = client;
  }

  /** The Stack's results, oldest first. */
  List<Secret> of(StackRef stack) {
    return client
        .secrets()
        .inNamespace(stack.namespace())
        .withLabel(ResultSecret.STACK_UID, stack.uid())
        .list()
        .getItems()
        .stream()
        .sorted(Comparator.comparing((Secret secret) -> hexMillis(secret)))
        .toList();
  }

  /** The one of an update. */
  static Optional<Secret> named(List<Secret> secrets, String update) {
    String name = ResultSecret.name(update);
    return secrets.stream().filter(s -> s.getMetadata().getName().equals(name)).findFirst();
  }

  /** The last one whose outputs count: only a succeeded up has any. */
  static Optional<Secret> lastSuccess(List<Secret> secrets) {
    return secrets.reversed().stream()
        .filter(s -> annotation(s, ResultSecret.OUTCOME).equals(Outcome.SUCCEEDED.name()))
        .filter(s -> annotation(s, ResultSecret.KIND).equals(OperationKind.UP.word()))
        .findFirst();
  }

  /** Deletes all but those. */
  void deleteOthers(List<Secret> secrets, Set<String> kept) {
    for (Secret secret : secrets) {
      if (!kept.contains(secret.getMetadata().getName())) {
        client.secrets().resource(secret).delete();
      }
    }
  }

  /** The failure text; "" = none kept. */
  static String message(Secret secret) {
    return annotation(secret, ResultSecret.MESSAGE);
  }

  static ProjectInfo project(Secret secret) {
    try {
      String json = annotation(secret, ResultSecret.PROJECT);
      JsonNode project = json.isEmpty() ? JSON.createObjectNode() : JSON.readTree(json);
      return new ProjectInfo(
          project.path("name").asString(""), project.path("runtime").asString(""));
    } catch (JacksonException e) {
      return ProjectInfo.NONE;
    }
  }

  /** As the status shows them: secret ones masked, and those too large named only. */
  static Map<String, JsonNode> outputs(Secret secret) {
    Set<String> masked = secretKeys(secret);
    ShownOutputs shown = new ShownOutputs(secret.getMetadata().getName());
    sortedData(secret)
        .forEach(
            (key, value) ->
                shown.add(key, masked.contains(key) ? StringNode.valueOf(MASKED) : value(value)));
    dropped(secret).forEach(shown::addDropped);
    return shown.all();
  }

  private static List<String> dropped(Secret secret) {
    List<String> keys = new ArrayList<>();
    String json = annotation(secret, ResultSecret.DROPPED);
    try {
      (json.isEmpty() ? JSON.createArrayNode() : JSON.readTree(json))
          .forEach(key -> keys.add(key.asString("")));
    } catch (JacksonException e) {
      keys.clear();
    }
    return keys;
  }

  private static Map<String, String> sortedData(Secret secret) {
    Map<String, String> data = secret.getData();
    return data == null ? Map.of() : new TreeMap<>(data);
  }

  private static JsonNode value(String base64) {
    String text = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      return StringNode.valueOf(text);
    }
  }

  /** A list that cannot be read masks everything. */
  private static Set<String> secretKeys(Secret secret) {
    Set<String> keys = new HashSet<>();
    try {
      JSON.readTree(annotation(secret, ResultSecret.SECRET_KEYS))
          .forEach(key -> keys.add(key.asString("")));
      return keys;
    } catch (JacksonException e) {
      return sortedData(secret).keySet();
    }
  }

  private static String annotation(Secret secret, String name) {
    Map<String, String> annotations = secret.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(name, "");
  }

  /** An update's name ends with the time it was minted at, finer than a creation timestamp. */
  private static String hexMillis(Secret secret) {
    String name = secret.getMetadata().getName();
    String update = name.substring(0, Math.max(0, name.length() - "-stack-outputs".length()));
    String hex = update.substring(update.lastIndexOf('-') + 1);
    return "0".repeat(Math.max(0, 16 - hex.length())) + hex;
  }
}
