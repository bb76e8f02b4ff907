package dev.reprise.watcher;

import dev.reprise.stack.StackIdentity;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds Stack objects; starts from one that is in order and wants nothing. */
final class Stacks {
  static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  private final ObjectMetaBuilder meta = new ObjectMetaBuilder();
  private final Map<String, Object> spec = new TreeMap<>(Map.of("stack", "dev"));
  private final Map<String, Object> status = new TreeMap<>();
  private final Map<String, Object> retry = new TreeMap<>();

  private Stacks(String name) {
    meta.withNamespace("default")
        .withName(name)
        .withUid("uid-" + name)
        .withResourceVersion("1")
        .withGeneration(3L)
        .withFinalizers(StackIdentity.FINALIZER);
    status.put("observedGeneration", 3);
    retry.put("nextWakeTime", NOW.plusSeconds(3600).toString());
    retry.put("sequence", 1);
  }

  static Stacks inOrder(String name) {
    return new Stacks(name);
  }

  Stacks version(String version) {
    meta.withResourceVersion(version);
    return this;
  }

  Stacks generation(long generation) {
    meta.withGeneration(generation);
    return this;
  }

  Stacks annotation(String name, String value) {
    meta.addToAnnotations(name, value);
    return this;
  }

  Stacks withoutFinalizer() {
    meta.withFinalizers(List.of());
    return this;
  }

  Stacks deleting() {
    meta.withDeletionTimestamp("2026-12-01T11:59:00Z");
    return this;
  }

  Stacks needs(String prerequisite) {
    spec.put("prerequisites", List.of(Map.of("name", prerequisite)));
    return this;
  }

  /** Its status shows that it waits for prerequisites. */
  Stacks waiting() {
    return reconciling("PrerequisiteNotSatisfied");
  }

  Stacks reconciling(String reason) {
    return shows("Reconciling", reason);
  }

  Stacks shows(String type, String reason) {
    status.put(
        "conditions",
        List.of(
            Map.of("type", "Ready", "status", "False", "reason", "NotReady"),
            Map.of("type", type, "status", "True", "reason", reason)));
    return this;
  }

  Stacks ready(String lastUpdate) {
    status.put("conditions", List.of(Map.of("type", "Ready", "status", "True")));
    status.put("lastUpdate", Map.of("name", lastUpdate));
    return this;
  }

  Stacks lastRevision(String revision) {
    retry.put("last", Map.of("kind", "up", "revision", revision));
    return this;
  }

  Stacks spec(String field, Object value) {
    spec.put(field, value);
    return this;
  }

  Stacks status(String field, Object value) {
    status.put(field, value);
    return this;
  }

  Stacks retry(String field, Object value) {
    retry.put(field, value);
    return this;
  }

  Stacks withoutRetryRecord() {
    retry.clear();
    return this;
  }

  GenericKubernetesResource withoutStatus() {
    GenericKubernetesResource stack = build();
    stack.getAdditionalProperties().remove("status");
    return stack;
  }

  GenericKubernetesResource build() {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setApiVersion("pulumi.com/v1");
    stack.setKind("Stack");
    stack.setMetadata(meta.build());
    stack.setAdditionalProperty("spec", spec);
    Map<String, Object> whole = new TreeMap<>(status);
    if (!retry.isEmpty()) {
      whole.put("retry", retry);
    }
    stack.setAdditionalProperty("status", whole);
    return stack;
  }
}
