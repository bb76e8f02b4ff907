package dev.reprise.activities.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.activities.Activities;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.kube.Cluster;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.IdlePolicy;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.StackRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class IdleWorkspacesTest {
  private static final Map<String, Object> DELETE =
      Map.of("stack", "dev", "workspaceReclaimPolicy", "Delete");
  private static final String IN_SYNC =
      "{\"status\":{\"observedGeneration\":1,\"lastUpdate\":{\"state\":\"succeeded\",\"lastResyncTime\":\"2026-12-01T00:00:00Z\"},"
          + "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"reason\":\"r\",\"message\":\"m\",\"lastTransitionTime\":\"2026-12-01T00:00:00Z\"}]}}";

  private final Cluster cluster = Cluster.start();
  private final Rests rests = new Rests();
  private Instant now = Instant.parse("2026-12-01T00:00:00Z");

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aStackInSyncRestsAsItAsks() {
    stack("kept", Map.of("stack", "dev"), Map.of());
    stack("deleted", DELETE, Map.of());
    stack("scaled", Map.of("stack", "dev"), Map.of(IdlePolicy.ANNOTATION, "scale-down-after: 1h"));

    look();
    assertThat(rests.seen).containsExactly("apps/deleted without objects");
    now = now.plusSeconds(3_600);
    look();
    assertThat(rests.seen)
        .containsExactlyInAnyOrder(
            "apps/deleted without objects",
            "apps/deleted without objects",
            "apps/scaled with objects");
  }

  @Test
  void everyPageOfALongListIsLookedAt() {
    for (String name : List.of("a", "b", "c", "d", "e")) {
      stack(name, DELETE, Map.of());
    }
    new IdleWorkspaces(cluster.client, new StackReader(Policy.DEFAULTS), rests, () -> now, 2)
        .rest();
    assertThat(rests.seen).hasSize(5).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"status\":{\"lastUpdate\":{\"state\":\"failed\"}}}",
        "{\"status\":{\"observedGeneration\":0}}",
        "{\"status\":{\"observedReconcileRequest\":\"earlier\"}}",
        "{\"status\":{\"conditions\":[]}}",
      })
  void aStackThatIsNotInSyncKeepsItsWorkspace(String status) {
    StackRef stack = stack("web", DELETE, Map.of());
    cluster.patchStatus(stack, status);
    look();
    assertThat(rests.seen).isEmpty();
  }

  @Test
  void aStackThatIsBeingDeletedKeepsItForItsDestroy() {
    StackRef stack = stack("web", DELETE, Map.of());
    cluster.patch(stack, "{\"metadata\":{\"finalizers\":[\"finalizer.stack.pulumi.com\"]}}");
    cluster.named(stack).delete();
    cluster.patchStatus(stack, "{\"status\":{\"observedGeneration\":2}}");
    look();
    assertThat(rests.seen).isEmpty();
  }

  @Test
  void oneThatCannotBeReadOrChangedHoldsUpNoOther() {
    stack("a", DELETE, Map.of(IdlePolicy.ANNOTATION, "sometimes"));
    stack("b", DELETE, Map.of());
    stack("c", DELETE, Map.of());
    rests.failing = "apps/b";
    look();
    assertThat(rests.seen).containsExactly("apps/c without objects");
  }

  private StackRef stack(String name, Map<String, Object> spec, Map<String, String> annotations) {
    StackRef stack = cluster.stack(name, spec, annotations);
    cluster.patchStatus(stack, IN_SYNC);
    return stack;
  }

  private void look() {
    Activities.restIdle(cluster.client, Policy.DEFAULTS, rests, () -> now);
  }

  private static final class Rests implements Workspaces {
    private final List<String> seen = new ArrayList<>();
    private String failing = "";

    @Override
    public void rest(StackRef stack, boolean keepObjects) {
      if (stack.toString().equals(failing)) {
        throw new IllegalStateException("the API server is away");
      }
      seen.add(stack + (keepObjects ? " with objects" : " without objects"));
    }

    @Override
    public Placement place(WorkspaceRequest request) {
      throw new AssertionError("nothing is placed");
    }

    @Override
    public void prepared(StackRef stack, String instance) {
      throw new AssertionError("nothing is prepared");
    }

    @Override
    public Optional<Endpoint> locate(StackRef stack) {
      throw new AssertionError("nothing is located");
    }

    @Override
    public boolean running(StackRef stack) {
      throw new AssertionError("whether something runs is for the workspaces to see");
    }

    @Override
    public void stop(StackRef stack) {
      throw new AssertionError("nothing is stopped");
    }

    @Override
    public void delete(StackRef stack) {
      throw new AssertionError("nothing is deleted");
    }

    @Override
    public int sweep(Predicate<StackRef> gone) {
      throw new AssertionError("nothing is swept");
    }
  }
}
