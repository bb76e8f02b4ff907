package dev.reprise.activities.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.stack.StackIdentity;
import dev.reprise.workflows.activity.FinalizerActivity.MarkInput;
import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StackFinalizerTest {
  private final Cluster cluster = Cluster.start();
  private final Deletions deletions = new Deletions();
  private final StackFinalizer finalizer =
      new StackFinalizer(cluster.client, deletions, "c1", InstantSource.system());

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void marksAreAddedBesideThoseOfOthers() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"), Map.of("example.com/a", "kept"));
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"example.com/theirs\"]}}");
    assertThat(finalizer.mark(new MarkInput(stack, true)).marked()).isTrue();
    assertThat(cluster.get(stack).getMetadata().getFinalizers())
        .containsExactly("example.com/theirs", StackIdentity.FINALIZER);
    assertThat(cluster.get(stack).getMetadata().getAnnotations())
        .containsEntry("example.com/a", "kept")
        .containsEntry(StackIdentity.UP_STARTED, "true");
  }

  @Test
  void aStackThatIsMarkedIsNotWrittenAgain() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    finalizer.mark(new MarkInput(stack, true));
    cluster.server.requests().reset();
    assertThat(finalizer.mark(new MarkInput(stack, true)).marked()).isTrue();
    assertThat(cluster.server.requests().count("patch", "stacks.pulumi.com")).isZero();
  }

  @Test
  void theUpMarkIsOnlyPutOnWhenAsked() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    assertThat(finalizer.mark(new MarkInput(stack, false)).marked()).isTrue();
    assertThat(cluster.get(stack).getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void nothingIsMarkedOnADeletedOrAnotherStack() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"example.com/theirs\"]}}");
    assertThat(finalizer.mark(new MarkInput(new StackRef("apps", "web", "x"), true)).marked())
        .isFalse();
    cluster.named(stack).delete();
    assertThat(finalizer.mark(new MarkInput(stack, true)).marked()).isFalse();
    assertThat(cluster.get(stack).getMetadata().getFinalizers())
        .containsExactly("example.com/theirs");
  }

  @Test
  void aConflictIsReadAgain() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.server.faults().answer(2, r -> r.is("patch", "stacks.pulumi.com"), 409);
    assertThat(finalizer.mark(new MarkInput(stack, true)).marked()).isTrue();
    cluster.server.faults().answer(50, r -> r.is("patch", "stacks.pulumi.com"), 409);
    assertThatThrownBy(() -> finalizer.release(stack)).isInstanceOf(ApplicationFailure.class);
  }

  @Test
  void aChangeThatTheServerRefusesIsToldInItsWords() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.server.faults().answer(1, r -> r.is("patch", "stacks.pulumi.com"), 422);
    assertThatThrownBy(() -> finalizer.mark(new MarkInput(stack, true)))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422));
  }

  @Test
  void aRunningOperationIsNotEndedByTheRelease() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    finalizer.mark(new MarkInput(stack, true));
    deletions.running = true;
    assertThat(finalizer.release(stack).released()).isFalse();
    assertThat(deletions.deleted).isEmpty();
    assertThat(cluster.get(stack).getMetadata().getFinalizers()).isNotEmpty();
    deletions.running = false;
    assertThat(finalizer.release(stack).released()).isTrue();
  }

  @Test
  void releasingDeletesTheWorkspaceFirstAndLeavesTheFinalizersOfOthers() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.patch(
        stack,
        "{\"metadata\":{\"finalizers\":[\"example.com/theirs\",\""
            + StackIdentity.FINALIZER
            + "\"]}}");
    cluster.named(stack).delete();
    assertThat(finalizer.release(stack).released()).isTrue();
    assertThat(deletions.deleted).containsExactly(stack);
    assertThat(cluster.client.v1().events().inNamespace("apps").list().getItems())
        .extracting(event -> event.getReason())
        .containsExactly("WorkspaceDeleted");
    assertThat(cluster.get(stack).getMetadata().getFinalizers())
        .containsExactly("example.com/theirs");
    assertThat(finalizer.release(stack).released()).isTrue();
  }

  @Test
  void aStackThatIsGoneIsReleased() {
    StackRef stack = cluster.stack("web", Map.of("stack", "dev"));
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"" + StackIdentity.FINALIZER + "\"]}}");
    cluster.named(stack).delete();
    assertThat(finalizer.release(stack).released()).isTrue();
    assertThat(cluster.named(stack).get()).isNull();
    assertThat(finalizer.release(stack).released()).isTrue();
  }

  private static final class Deletions implements Workspaces {
    private final List<StackRef> deleted = new ArrayList<>();
    private boolean running;

    @Override
    public Placement place(WorkspaceRequest request) {
      throw new AssertionError("a mark makes no workspace");
    }

    @Override
    public void prepared(StackRef stack, String instance) {
      throw new AssertionError("a mark prepares nothing");
    }

    @Override
    public void rest(StackRef stack, boolean keepObjects) {
      throw new AssertionError("a mark lets nothing rest");
    }

    @Override
    public Optional<Endpoint> locate(StackRef stack) {
      return Optional.empty();
    }

    @Override
    public boolean running(StackRef stack) {
      return running;
    }

    @Override
    public void stop(StackRef stack) {
      throw new AssertionError("a mark stops no agent");
    }

    @Override
    public void delete(StackRef stack) {
      deleted.add(stack);
    }

    @Override
    public int sweep(Predicate<StackRef> gone) {
      return 0;
    }
  }
}
