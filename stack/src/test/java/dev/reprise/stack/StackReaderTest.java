package dev.reprise.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SpecInvalid;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackReaderTest {
  private final StackReader reader = new StackReader(Policy.DEFAULTS);

  @Test
  void readsIdentitySpecPolicyAndStatusOfOneObject() throws SpecInvalid {
    Stack stack =
        reader.read(
            Stacks.parse(
                """
                apiVersion: pulumi.com/v1
                kind: Stack
                metadata:
                  namespace: apps
                  name: web
                  uid: u-1
                  generation: 7
                  resourceVersion: "42"
                  deletionTimestamp: "2026-01-01T00:00:00Z"
                  finalizers: [finalizer.stack.pulumi.com]
                  annotations:
                    pulumi.com/reconciliation-request: again
                    reprise.dev/paused: "true"
                    reprise.dev/up-started: "2026-01-01T00:00:00Z"
                spec: {stack: dev, retry: {initialBackoffSeconds: 5}}
                status: {observedGeneration: 6}
                """));

    assertThat(stack.identity())
        .isEqualTo(
            new StackIdentity(
                "apps", "web", "u-1", 7, "42", true, true, "again", "paused by annotation", true));
    assertThat(stack.spec().stack()).isEqualTo("dev");
    assertThat(stack.policy().initialBackoff()).isEqualTo(Duration.ofSeconds(5));
    assertThat(stack.status().observedGeneration()).isEqualTo(6);
  }

  @Test
  void aSpecThatBecameInvalidIsReadForItsDeletionWithoutWhatIsWrong() throws SpecInvalid {
    GenericKubernetesResource broken =
        Stacks.withSpec(
            "{stack: dev, refresh: maybe, secrets: {k: [a]}, projectRepo: https://x/y,"
                + " retry: {initialBackoffSeconds: -1},"
                + " workspaceTemplate: {spec: {local: {dir: /p}}}}");

    assertThatThrownBy(() -> reader.read(broken)).isInstanceOf(SpecInvalid.class);
    Stack read = reader.readForDeletion(broken);
    assertThat(read.spec().stack()).isEqualTo("dev");
    assertThat(read.spec().refresh()).isFalse();
    assertThat(read.spec().secrets()).isEmpty();
    assertThat(read.spec().workspaceTemplate().at("/spec/local/dir").asString()).isEqualTo("/p");
    assertThat(read.policy()).isEqualTo(Policy.DEFAULTS);
    assertThatThrownBy(() -> reader.readForDeletion(Stacks.withSpec("stack: [no, name]")))
        .isInstanceOf(SpecInvalid.class)
        .hasMessageContaining("spec.stack");
  }

  @Test
  void identityAndStatusAreReadWhenTheSpecIsNot() {
    GenericKubernetesResource broken = Stacks.withSpec("stack: [not, a, name]");

    assertThatThrownBy(() -> reader.read(broken)).isInstanceOf(SpecInvalid.class);
    assertThat(StackReader.identity(broken))
        .isEqualTo(new StackIdentity("apps", "web", "u-1", 7, "42", false, false, "", "", false));
    assertThat(StackReader.status(broken).observedGeneration()).isZero();
  }

  @Test
  void identityOfAnObjectWithoutMetadataIsEmpty() {
    assertThat(StackReader.identity(new GenericKubernetesResource()))
        .isEqualTo(new StackIdentity("", "", "", 0, "", false, false, "", "", false));
  }

  @ParameterizedTest
  @CsvSource({"true,paused by annotation", "audit,audit", "false,''", "'',''", "' ',''"})
  void theAnnotationsValueIsTheReasonOfThePause(String value, String reason) {
    GenericKubernetesResource stack = Stacks.withSpec("stack: dev");
    stack.getMetadata().setAnnotations(Map.of(StackIdentity.PAUSED, value));

    assertThat(StackReader.identity(stack).pause()).isEqualTo(reason);
  }

  @Test
  void aNameIsAcceptedUpTo42Characters() throws SpecInvalid {
    GenericKubernetesResource stack = Stacks.withSpec("stack: dev");
    stack.getMetadata().setName("n".repeat(42));
    assertThat(reader.read(stack).identity().name()).hasSize(42);

    stack.getMetadata().setName("n".repeat(43));
    assertThatThrownBy(() -> reader.read(stack))
        .hasMessage("metadata.name has 43 characters: use at most 42");
  }

  @Test
  void aMalformedPolicyAnnotationIsNamed() {
    GenericKubernetesResource stack = Stacks.withSpec("stack: dev");
    stack.getMetadata().setAnnotations(Map.of("reprise.dev/retry.failureLimit", "three"));

    assertThatThrownBy(() -> reader.read(stack))
        .hasMessage(
            "metadata.annotations[reprise.dev/retry.failureLimit] is not a whole number:"
                + " give a whole number from 0 to 1000000");
  }
}
