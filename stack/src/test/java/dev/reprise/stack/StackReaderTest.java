package dev.reprise.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SameRevisionAnnotation;
import dev.reprise.stack.spec.SpecInvalid;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                + " give a whole number from 1 to 1000000");
  }

  @Test
  void anAbsurdlyLongTokenOrPauseStaysShortAndTokensStayDifferent() {
    String token = annotated(StackIdentity.RECONCILE_REQUEST, "x".repeat(5_000)).reconcileRequest();

    assertThat(token).hasSizeLessThan(100);
    assertThat(annotated(StackIdentity.RECONCILE_REQUEST, "x".repeat(5_000)).reconcileRequest())
        .isEqualTo(token);
    assertThat(annotated(StackIdentity.RECONCILE_REQUEST, "x".repeat(5_001)).reconcileRequest())
        .isNotEqualTo(token);
    assertThat(annotated(StackIdentity.PAUSED, "audit " + "🚀".repeat(5_000)).pause())
        .startsWith("audit 🚀")
        .hasSizeLessThanOrEqualTo(300);
  }

  private static StackIdentity annotated(String name, String value) {
    GenericKubernetesResource resource = new GenericKubernetesResource();
    resource.setMetadata(new ObjectMetaBuilder().addToAnnotations(name, value).build());
    return StackReader.identity(resource);
  }

  @Test
  void theAnnotationAsksForTheSameRevisionOfEveryPrerequisiteThatDoesNotSayOtherwise()
      throws SpecInvalid {
    GenericKubernetesResource stack =
        Stacks.withSpec(
            """
            stack: dev
            prerequisites:
            - name: a
            - {name: b, requirement: {succeededWithinDuration: 1h}}
            - {name: c, requirement: {sameRevision: false}}
            """);
    assertThat(sameRevision(stack)).containsExactly(false, false, false);

    stack.getMetadata().setAnnotations(Map.of(SameRevisionAnnotation.NAME, " true "));
    assertThat(sameRevision(stack)).containsExactly(true, true, false);
    assertThat(reader.read(stack).spec().prerequisites().get(1).requirement().succeededWithin())
        .isEqualTo(Duration.ofHours(1));

    stack.getMetadata().setAnnotations(Map.of(SameRevisionAnnotation.NAME, "false"));
    assertThat(sameRevision(stack)).containsExactly(false, false, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "", "1", "True"})
  void aSameRevisionAnnotationThatIsNeitherTrueNorFalseIsNamed(String value) {
    GenericKubernetesResource stack = Stacks.withSpec("stack: dev");
    stack.getMetadata().setAnnotations(Map.of(SameRevisionAnnotation.NAME, value));

    assertThatThrownBy(() -> reader.read(stack))
        .hasMessage(
            "metadata.annotations[reprise.dev/prerequisites.sameRevision] is neither true nor"
                + " false: give \"true\" or \"false\", or remove it");
  }

  @Test
  void theAnnotationDoesNotHideAMistakeInThePrerequisites() {
    for (String mistake : List.of("{a: b}", "[1]", "[{name: a, requirement: often}]")) {
      GenericKubernetesResource stack = Stacks.withSpec("stack: dev\nprerequisites: " + mistake);
      stack.getMetadata().setAnnotations(Map.of(SameRevisionAnnotation.NAME, "true"));

      assertThatThrownBy(() -> reader.read(stack))
          .isInstanceOf(SpecInvalid.class)
          .hasMessageContaining("spec.prerequisites");
    }
  }

  @Test
  void aReasonBelongsToItsTokenOnly() {
    GenericKubernetesResource stack = Stacks.withSpec("stack: dev");
    String token = ReconcileReason.tokenAfter("web-1");
    String value = ReconcileReason.value(token, "apps/x waits\nfor it");

    stack.getMetadata().setAnnotations(annotations(token, value));
    assertThat(StackReader.reconcileReason(stack)).isEqualTo("apps/x waits for it");
    assertThat(StackReader.askedBefore(stack, token)).isTrue();

    stack.getMetadata().setAnnotations(annotations("by hand", value));
    assertThat(StackReader.reconcileReason(stack)).isEmpty();
    assertThat(StackReader.askedBefore(stack, token)).isTrue();
    assertThat(StackReader.askedBefore(stack, ReconcileReason.tokenAfter("web-2"))).isFalse();

    stack.getMetadata().setAnnotations(annotations(token, token + ": " + "x".repeat(5000)));
    assertThat(StackReader.reconcileReason(stack)).hasSize(250);
    assertThat(StackReader.reconcileReason(Stacks.withSpec("stack: dev"))).isEmpty();
  }

  private List<Boolean> sameRevision(GenericKubernetesResource stack) throws SpecInvalid {
    return reader.read(stack).spec().prerequisites().stream()
        .map(prerequisite -> prerequisite.requirement().sameRevision())
        .toList();
  }

  private static Map<String, String> annotations(String token, String reason) {
    return Map.of(StackIdentity.RECONCILE_REQUEST, token, ReconcileReason.ANNOTATION, reason);
  }
}
