package dev.reprise.activities.prerequisite;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.workflows.activity.PrerequisiteActivity.RequestInput;
import dev.reprise.workflows.activity.PrerequisiteActivity.RequestOutput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.WaitingFor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Stacks on an API server that wait for each other, looked at at a fixed time. */
@Timeout(60)
abstract class PrerequisiteFixture {
  static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");
  static final String LATELY = "2026-11-30T23:30:00Z";
  static final String LONG_AGO = "2026-11-30T22:30:00Z";

  /** A repository that no test reaches: only what is in the status counts. */
  static final Map<String, Object> MAIN =
      Map.of("projectRepo", "https://git.example/infra", "branch", "main");

  final Cluster cluster = Cluster.start();
  private final StackReader reader = new StackReader(Policy.DEFAULTS);
  final Prerequisites prerequisites = new Prerequisites(cluster.client, reader, () -> NOW);
  final RequestRuns requests = new RequestRuns(StackObjects.limited(cluster.client));

  @AfterEach
  void stop() {
    cluster.close();
  }

  StackRef stack(String name, Map<String, Object> more) {
    Map<String, Object> spec = new HashMap<>(Map.of("stack", "dev"));
    spec.putAll(more);
    return cluster.stack(name, spec);
  }

  /** A Stack that needs others, each with these requirements. */
  StackRef needing(String name, Map<String, Object> requirement, String... others) {
    return stack(name, needs(requirement, others));
  }

  static Map<String, Object> needs(Map<String, Object> requirement, String... others) {
    List<Map<String, Object>> prerequisites = new ArrayList<>();
    for (String other : others) {
      prerequisites.add(Map.of("name", other, "requirement", requirement));
    }
    return Map.of("prerequisites", prerequisites);
  }

  static Map<String, Object> and(Map<String, Object> one, Map<String, Object> other) {
    Map<String, Object> both = new HashMap<>(one);
    both.putAll(other);
    return both;
  }

  /** Ends an update of the Stack's first generation, named after the Stack and a number. */
  void ended(StackRef stack, int number, String state, String time) {
    lastUpdate(
        stack,
        "\"name\":\"%s-%d\",\"type\":\"up\",\"generation\":1,\"state\":\"%s\",\"lastResyncTime\":\"%s\""
            .formatted(stack.name(), number, state, time));
  }

  void lastUpdate(StackRef stack, String fields) {
    status(stack, "\"lastUpdate\":{%s}".formatted(fields));
  }

  void status(StackRef stack, String fields) {
    cluster.patchStatus(stack, "{\"status\":{%s}}".formatted(fields));
  }

  /** Shows that condition and no other. */
  void shows(StackRef stack, String type, String reason) {
    status(
        stack,
        "\"conditions\":[{\"type\":\"%s\",\"status\":\"True\",\"reason\":\"%s\",\"message\":\"\",\"lastTransitionTime\":\"%s\"}]"
            .formatted(type, reason, LATELY));
  }

  void annotate(StackRef stack, String name, String value) {
    cluster.patch(stack, "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(name, value));
  }

  String annotation(StackRef stack, String name) {
    Map<String, String> annotations = cluster.get(stack).getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(name, "");
  }

  WaitingFor look(StackRef stack) {
    return look(stack, "r2");
  }

  WaitingFor look(StackRef stack, String revision) {
    Stack read;
    try {
      read = reader.read(cluster.get(stack));
    } catch (SpecInvalid e) {
      throw new AssertionError(e);
    }
    boolean preview = read.spec().preview();
    return prerequisites.of(read, preview ? OperationKind.PREVIEW : OperationKind.UP, revision);
  }

  /** What stands in the way of the only one that is not satisfied. */
  String only(StackRef stack) {
    List<String> sentences = look(stack).sentences();
    if (sentences.size() != 1) {
      throw new AssertionError(sentences);
    }
    return sentences.getFirst();
  }

  /** Asks those that are to be asked now. */
  RequestOutput ask(StackRef stack) {
    return requests.requestRuns(new RequestInput(stack, look(stack).outOfDate()));
  }
}
