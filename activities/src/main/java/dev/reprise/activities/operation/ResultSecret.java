package dev.reprise.activities.operation;

import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.kube.Texts;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.ProjectInfo;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Secret of one operation's result, in the shape of the Pulumi Kubernetes Operator's so that
 * readers of outputs go on working, with the failure text and how it ended beside.
 */
public final class ResultSecret {
  /** Annotation: JSON list of the keys that hold secret outputs. */
  public static final String SECRET_KEYS = "pulumi.com/secrets";

  /** Annotation: the failure text, at most {@value #TEXT_LIMIT} characters. */
  public static final String MESSAGE = "reprise.dev/message";

  /** Annotation: the {@link Outcome}. */
  public static final String OUTCOME = "reprise.dev/outcome";

  /** Annotation: up, preview, refresh or destroy. */
  public static final String KIND = "reprise.dev/operation";

  /** Annotation: the Pulumi project as JSON. */
  public static final String PROJECT = "reprise.dev/project";

  /** Annotation: which outputs were too large to be kept. */
  public static final String NOTE = "reprise.dev/note";

  /** Annotation: JSON list of the keys of outputs that were too large to be kept; may be cut. */
  public static final String DROPPED = "reprise.dev/dropped-outputs";

  /** Label: the Stack's uid, to find all of its results. */
  public static final String STACK_UID = "reprise.dev/stack-uid";

  /** Label: the update's name. */
  public static final String UPDATE_NAME = "auto.pulumi.com/update-name";

  private static final int TEXT_LIMIT = 16 * 1024;

  /** etcd's usual limit is 1.5 MiB, a Secret's 1 MiB. */
  private static final int DATA_LIMIT = 900 * 1024;

  /** All annotations of an object together may have 256 KiB. */
  private static final int LIST_LIMIT = 64 * 1024;

  private static final int LONGEST_KEY = 253;
  private static final JsonMapper JSON = JsonMapper.shared();

  private ResultSecret() {}

  /** The name of an update's Secret. */
  public static String name(String update) {
    return update + "-stack-outputs";
  }

  static Secret of(
      OperationInput input,
      Outcome outcome,
      String text,
      Map<String, OutputValue> outputs,
      ProjectInfo project) {
    Map<String, OutputValue> byKey = byKey(outputs);
    List<String> dropped = drop(byKey);
    Map<String, String> annotations = new HashMap<>();
    annotations.put(OUTCOME, outcome.name());
    annotations.put(KIND, input.kind().word());
    annotations.put(SECRET_KEYS, listOfSecrets(secretKeys(byKey)));
    if (!text.isEmpty()) {
      annotations.put(MESSAGE, Texts.bounded(text, TEXT_LIMIT));
    }
    if (!project.getName().isEmpty()) {
      annotations.put(
          PROJECT,
          JSON.writeValueAsString(
              Map.of("name", project.getName(), "runtime", project.getRuntime())));
    }
    if (!dropped.isEmpty()) {
      annotations.put(
          NOTE, "too large to be kept here: " + Texts.excerpt(String.join(", ", dropped), 1_000));
      annotations.put(DROPPED, JSON.writeValueAsString(fitting(dropped)));
    }
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(input.stack().namespace())
        .withName(name(input.update()))
        .addToLabels("auto.pulumi.com/component", "update")
        .addToLabels(UPDATE_NAME, input.update())
        .addToLabels(STACK_UID, input.stack().uid())
        .withAnnotations(annotations)
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(StackObjects.API_VERSION)
                .withKind(StackObjects.KIND)
                .withName(input.stack().name())
                .withUid(input.stack().uid())
                .build())
        .endMetadata()
        .withType("Opaque")
        .withImmutable(true)
        .withData(encoded(byKey))
        .build();
  }

  /** Two names may become one key; the second in alphabetical order then gets a number. */
  private static Map<String, OutputValue> byKey(Map<String, OutputValue> outputs) {
    Map<String, OutputValue> byKey = new TreeMap<>();
    new TreeMap<>(outputs)
        .forEach(
            (name, value) -> {
              String clean = name.replaceAll("[^-._A-Za-z0-9]", "_");
              String base = clean.substring(0, Math.min(clean.length(), LONGEST_KEY - 4));
              String key = base.isEmpty() || base.matches("\\.+") ? "_" + base : base;
              String free = key;
              for (int i = 2; byKey.containsKey(free); i++) {
                free = key + "_" + i;
              }
              byKey.put(free, value);
            });
    return byKey;
  }

  private static List<String> drop(Map<String, OutputValue> byKey) {
    List<String> dropped = new ArrayList<>();
    List<String> bySize = new ArrayList<>(byKey.keySet());
    bySize.sort(Comparator.comparingInt((String key) -> size(byKey, key)).reversed());
    long total = byKey.keySet().stream().mapToLong(key -> size(byKey, key)).sum();
    for (String key : bySize) {
      if (total <= DATA_LIMIT) {
        break;
      }
      total -= size(byKey, key);
      byKey.remove(key);
      dropped.add(key);
    }
    return dropped;
  }

  private static int size(Map<String, OutputValue> byKey, String key) {
    OutputValue value = byKey.get(key);
    return key.length() + (value == null ? 0 : value.getValue().size());
  }

  private static List<String> secretKeys(Map<String, OutputValue> byKey) {
    return byKey.entrySet().stream()
        .filter(output -> output.getValue().getSecret())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A list cut short would unmask the rest; one that cannot be read masks everything. */
  private static String listOfSecrets(List<String> keys) {
    String list = JSON.writeValueAsString(keys);
    return list.length() <= LIST_LIMIT ? list : "too many to be listed";
  }

  private static List<String> fitting(List<String> keys) {
    List<String> fitting = new ArrayList<>();
    int left = LIST_LIMIT;
    for (String key : keys) {
      left -= key.length() + 3;
      if (left < 0) {
        break;
      }
      fitting.add(key);
    }
    return fitting;
  }

  private static Map<String, String> encoded(Map<String, OutputValue> byKey) {
    Map<String, String> data = new TreeMap<>();
    byKey.forEach(
        (key, value) ->
            data.put(key, Base64.getEncoder().encodeToString(value.getValue().toByteArray())));
    return data;
  }
}
