package dev.reprise.activities.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.kube.Cluster;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObserveStackTest extends ObserveFixture {

  @Test
  void aNewStackHasItsPolicyAndNothingInItsWay() {
    StackRef stack =
        cluster.stack(
            "web",
            Map.of(
                "stack",
                "dev",
                "destroyOnFinalize",
                true,
                "retry",
                Map.of("initialBackoffSeconds", 5),
                "continueResyncOnCommitMatch",
                true,
                "resyncFrequencySeconds",
                10));
    Observation seen = observe.observe(stack);
    assertThat(seen.presence()).isEqualTo(Observation.Presence.PRESENT);
    assertThat(seen.generation()).isEqualTo(1);
    assertThat(seen.kind()).isEqualTo(OperationKind.UP);
    assertThat(seen.destroyOnDelete()).isTrue();
    assertThat(seen.upMayHaveStarted()).isFalse();
    assertThat(seen.policy().retry().initialBackoff()).isEqualTo(Duration.ofSeconds(5));
    assertThat(seen.policy().resync()).isEqualTo(Duration.ofSeconds(60));
    assertThat(seen.obstacle()).isEqualTo(Obstacle.NONE);
    assertThat(seen.revision()).isEmpty();
    assertThat(seen.seed().last().exists()).isFalse();
    assertThat(seen.searchAttributes()).containsExactly("StackPhase");
  }

  @Test
  void thePreviewFlagWinsAndNeverDestroys() {
    StackRef preview =
        cluster.stack(
            "a",
            Map.of(
                "stack",
                "dev",
                "preview",
                true,
                "destroyOnFinalize",
                true,
                "updateTemplate",
                Map.of("spec", Map.of("type", "refresh"))));
    StackRef refresh =
        cluster.stack(
            "b",
            Map.of("stack", "dev", "updateTemplate", Map.of("spec", Map.of("type", "refresh"))));
    assertThat(observe.observe(preview).kind()).isEqualTo(OperationKind.PREVIEW);
    assertThat(observe.observe(preview).destroyOnDelete()).isFalse();
    assertThat(observe.observe(refresh).kind()).isEqualTo(OperationKind.REFRESH);
  }

  @Test
  void anotherUidOrANotFoundThatNamesTheStackIsGone() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    assertThat(observe.observe(new StackRef("apps", "web", "another")).presence())
        .isEqualTo(Observation.Presence.GONE);
    cluster.named(stack).delete();
    assertThat(observe.observe(stack).presence()).isEqualTo(Observation.Presence.GONE);
  }

  @Test
  void aMissingDefinitionOrRightIsNotTakenForGone() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.server.faults().answer(1, r -> r.is("get", "stacks.pulumi.com"), 403);
    Observation forbidden = observe.observe(stack);
    assertThat(forbidden.presence()).isEqualTo(Observation.Presence.UNREADABLE);
    assertThat(forbidden.detail()).contains("grant get on stacks");
    cluster.close();
    cluster = Cluster.bare();
    Observation undefined = observing(cluster).observe(stack);
    assertThat(undefined.presence()).isEqualTo(Observation.Presence.UNREADABLE);
    assertThat(undefined.detail()).contains("CustomResourceDefinition");
  }

  @Test
  void aFailureThatPassesIsThrown() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.server.faults().answer(5, r -> r.is("get", "stacks.pulumi.com"), 503);
    assertThatThrownBy(() -> observe.observe(stack)).isInstanceOf(KubernetesClientException.class);
  }

  @Test
  void anInvalidSpecIsDataAndTheIdentityStaysReadable() {
    StackRef stack =
        cluster.stack(
            "web",
            Map.of("stack", "dev", "projectRepo", "https://x", "destroyOnFinalize", true),
            Map.of("pulumi.com/reconciliation-request", "now"));
    Observation seen = observe.observe(stack);
    assertThat(seen.obstacle().reason()).isEqualTo("SpecInvalid");
    assertThat(seen.obstacle().message()).contains("branch");
    assertThat(seen.reconcileRequest()).isEqualTo("now");
    assertThat(seen.destroyOnDelete()).isTrue();
  }

  @Test
  void theRevisionOfAFolderFollowsItsContents(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("up"), "1");
    StackRef stack = cluster.stack("web", local(folder));
    String first = observe.observe(stack).revision();
    Files.writeString(folder.resolve("up"), "two");
    assertThat(first).startsWith("sha256:");
    assertThat(observe.observe(stack).revision()).isNotEqualTo(first);
    Files.delete(folder.resolve("up"));
    Files.delete(folder);
    Obstacle missing = observe.observe(stack).obstacle();
    assertThat(missing.kind()).isEqualTo(Obstacle.Kind.SOURCE);
    assertThat(missing.message()).startsWith("spec.workspaceTemplate.spec.local.dir: folder");
    Files.createDirectory(folder);
  }

  @Test
  void aFolderOfAPodHasNoRevisionAsNobodySeesItFromOutside() {
    StackRef stack = cluster.stack("web", local(Path.of("/nowhere/at/all")));
    Observation seen = observing(cluster, false).observe(stack);
    assertThat(seen.obstacle()).isEqualTo(Obstacle.NONE);
    assertThat(seen.revision()).isEmpty();
  }

  @Test
  void aDeletionLooksAtNeitherSourceNorInputs() {
    StackRef stack = cluster.stack("web", local(Path.of("/nowhere/at/all")));
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"finalizer.stack.pulumi.com\"]}}");
    cluster.named(stack).delete();
    Observation seen = observe.observe(stack);
    assertThat(seen.deleting()).isTrue();
    assertThat(seen.finalizer()).isTrue();
    assertThat(seen.obstacle()).isEqualTo(Obstacle.NONE);
    assertThat(seen.revision()).isEmpty();
  }

  @Test
  void inputsChangeWithAReferencedValueAndGiveNothingAway() {
    cluster.secret("db", Map.of("password", CANARY, "other", "x"));
    StackRef stack = cluster.stack("web", secretRef("db", "password"));
    Observation first = observe.observe(stack);
    assertThat(first.inputs()).startsWith("v1:k1:");
    assertThat(first.toString()).doesNotContain(CANARY);
    cluster.client.secrets().inNamespace("apps").withName("db").delete();
    cluster.secret("db", Map.of("password", CANARY, "other", "changed"));
    assertThat(observe.observe(stack).inputs()).isEqualTo(first.inputs());
    cluster.client.secrets().inNamespace("apps").withName("db").delete();
    cluster.secret("db", Map.of("password", "another one"));
    assertThat(observe.observe(stack).inputs()).isNotEqualTo(first.inputs());
  }

  @Test
  void aMissingSecretOrKeyIsNamed() {
    StackRef stack = cluster.stack("web", secretRef("db", "password"));
    assertThat(observe.observe(stack).obstacle().message())
        .isEqualTo("spec.secretsRef[pw]: Secret apps/db does not exist: create it");
    cluster.secret("db", Map.of("user", CANARY));
    Obstacle obstacle = observe.observe(stack).obstacle();
    assertThat(obstacle.reason()).isEqualTo("SpecInvalid");
    assertThat(obstacle.message())
        .isEqualTo("spec.secretsRef[pw]: Secret apps/db has no key password: add it");
  }
}
