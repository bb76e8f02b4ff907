package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static dev.reprise.workflows.decision.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeletingTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void deletionDuringACooldownDestroysAtOnceThenReleasesAndEndsTheRun() {
    world.script(OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("CoolingDown");

    world.stack.delete();
    workflow.wake(new Hint("deletion"));

    untilClosed();
    assertThat(kinds()).containsExactly(OperationKind.UP, OperationKind.DESTROY);
    assertThat(world.stack.finalizer()).isFalse();
  }

  @Test
  void deletionDuringAnOperationWaitsForItsEnd() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    world.stack.delete();
    workflow.wake(new Hint("deletion"));
    assertThat(world.operations()).isEmpty();
    world.letOperationsThrough();

    untilClosed();
    assertThat(kinds()).containsExactly(OperationKind.UP, OperationKind.DESTROY);
  }

  @Test
  void aDestroyThatFailsFiveTimesKeepsTheFinalizerAndIsRetriedBySameRule() {
    world.script(
        SUCCEEDED,
        OPERATION_FAILED,
        OPERATION_FAILED,
        OPERATION_FAILED,
        OPERATION_FAILED,
        OPERATION_FAILED,
        SUCCEEDED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.delete();
    workflow.wake(new Hint("deletion"));
    fixture.pass(Duration.ofMinutes(30));
    assertThat(world.stack.finalizer()).isTrue();
    assertThat(fixture.until(view -> view.failures() == 5).phase()).isEqualTo("CoolingDown");
    fixture.pass(Duration.ofMinutes(2));

    untilClosed();
    List<Duration> gaps = world.gaps();
    for (int i = 0; i < 5; i++) {
      Duration expected = Duration.ofMinutes(1L << i);
      assertThat(gaps.get(i + 1)).isBetween(expected, expected.plusSeconds(30));
    }
  }

  @Test
  void nothingIsDestroyedWhereNoUpEverStarted() {
    world.scriptWorkspace(Outcome.WORKSPACE_FAILED, "install failed");
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("CoolingDown");

    world.stack.delete();
    workflow.wake(new Hint("deletion"));

    untilClosed();
    assertThat(world.operations()).isEmpty();
  }

  @Test
  void withoutDestroyOnFinalizeTheStackIsOnlyReleased() {
    world.stack.destroyOnDelete(false);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.delete();
    workflow.wake(new Hint("deletion"));

    untilClosed();
    assertThat(kinds()).containsExactly(OperationKind.UP);
  }

  @Test
  void aPausedStackIsStillDeleted() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    workflow.hold("audit");
    fixture.untilPhase("Paused");

    world.stack.delete();
    workflow.wake(new Hint("deletion"));

    untilClosed();
    assertThat(kinds()).containsExactly(OperationKind.UP, OperationKind.DESTROY);
  }

  @Test
  void retryNowShortensTheWaitOfAFailedDestroy() {
    world.script(SUCCEEDED, OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.stack.delete();
    workflow.wake(new Hint("deletion"));
    fixture.untilPhase("CoolingDown");

    fixture.current().retryNow(new RetryRequest(false, ""));

    untilClosed();
    assertThat(kinds())
        .containsExactly(OperationKind.UP, OperationKind.DESTROY, OperationKind.DESTROY);
  }

  private List<OperationKind> kinds() {
    return world.operations().stream().map(FakeWorld.Operation::kind).toList();
  }

  private void untilClosed() {
    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  }
}
