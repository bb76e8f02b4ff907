package dev.reprise.e2e.world;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** One Stack, as a user with kubectl sees and changes it. */
public final class StackHandle {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final KubernetesClient client;
  private final String namespace;
  private final String name;

  StackHandle(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Its namespace. */
  public String namespace() {
    return namespace;
  }

  private Resource<GenericKubernetesResource> resource() {
    return client.genericKubernetesResources(Stacks.KIND).inNamespace(namespace).withName(name);
  }

  /** The object as it is now; empty when there is none. */
  public Optional<GenericKubernetesResource> read() {
    return Optional.ofNullable(resource().get());
  }

  /** A field of its status by its path; empty when it is not there. */
  public Optional<Object> status(Object... path) {
    return read().flatMap(stack -> field(stack, path));
  }

  private static Optional<Object> field(GenericKubernetesResource stack, Object... path) {
    Object[] whole = new Object[path.length + 1];
    whole[0] = "status";
    System.arraycopy(path, 0, whole, 1, path.length);
    return Optional.ofNullable(stack.get(whole));
  }

  /** Consecutive failures as its status shows them. */
  public long failures() {
    return status("retry", "failures").map(n -> ((Number) n).longValue()).orElse(0L);
  }

  /** A condition as {@code Type=Status Reason}; empty when it has none of this type. */
  public Optional<String> condition(String type) {
    return read().flatMap(stack -> condition(stack, type));
  }

  private static Optional<String> condition(GenericKubernetesResource stack, String type) {
    List<Map<String, Object>> conditions = stack.get("status", "conditions");
    return Optional.ofNullable(conditions).orElse(List.of()).stream()
        .filter(condition -> type.equals(condition.get("type")))
        .map(condition -> type + "=" + condition.get("status") + " " + condition.get("reason"))
        .findFirst();
  }

  /** Waits until it is Ready in its newest generation. */
  public StackHandle awaitReady() {
    return await("ready", stack -> current(stack) && is(stack, "Ready", "True"));
  }

  /** Waits until it cools down after so many failures, or more. */
  public StackHandle awaitFailures(long failures) {
    return await(
        failures + " failures",
        stack ->
            field(stack, "retry", "failures")
                .filter(n -> ((Number) n).longValue() >= failures)
                .isPresent());
  }

  /** Waits until a condition of this type has this reason. */
  public StackHandle awaitReason(String type, String reason) {
    return await(
        type + " with reason " + reason,
        stack -> condition(stack, type).filter(text -> text.endsWith(" " + reason)).isPresent());
  }

  private static boolean current(GenericKubernetesResource stack) {
    long generation = stack.getMetadata().getGeneration();
    return field(stack, "observedGeneration")
        .filter(n -> ((Number) n).longValue() == generation)
        .isPresent();
  }

  private static boolean is(GenericKubernetesResource stack, String type, String status) {
    return condition(stack, type).filter(text -> text.startsWith(type + "=" + status)).isPresent();
  }

  /** Waits until its object is as this asks for; three minutes at most. */
  public StackHandle await(String what, Predicate<GenericKubernetesResource> wish) {
    try {
      Awaitility.await(namespace + "/" + name + " to be " + what)
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(200))
          .ignoreExceptionsMatching(KubernetesClientException.class::isInstance)
          .until(() -> read().filter(wish).isPresent());
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException(
          "%s/%s did not become %s within %s: %s"
              .formatted(namespace, name, what, LIMIT, read().map(StatusRecorder::line)),
          e);
    }
    return this;
  }

  /** Waits until it is gone. */
  public void awaitGone() {
    Awaitility.await(namespace + "/" + name + " to be gone")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .ignoreExceptionsMatching(KubernetesClientException.class::isInstance)
        .until(() -> read().isEmpty());
  }

  /** Sets an annotation. */
  public void annotate(String key, String value) {
    resource()
        .edit(
            stack -> {
              Map<String, String> all = new HashMap<>(stack.getMetadata().getAnnotations());
              all.put(key, value);
              stack.getMetadata().setAnnotations(all);
              return stack;
            });
  }

  /**
   * Writes its status as the Pulumi Kubernetes Operator does, to stand for what that one left.
   *
   * @param yaml the status
   */
  public void writeStatus(String yaml) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion("pulumi.com/v1");
    object.setKind("Stack");
    object.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    object.setAdditionalProperty("status", Serialization.unmarshal(yaml, Map.class));
    client
        .genericKubernetesResources(Stacks.KIND)
        .inNamespace(namespace)
        .resource(object)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("pulumi-kubernetes-operator/stack-status")
                .withForce(true)
                .build());
  }

  /** Deletes it. */
  public void delete(DeletionPropagation propagation) {
    resource().withPropagationPolicy(propagation).delete();
  }
}
