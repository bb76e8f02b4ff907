package dev.reprise.workflows.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What arrives in the last moment before something is done is not overlooked. */
class LastMomentsTest {
  @RegisterExtension private final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void whatIsAskedForWhileACancelledRunSaysGoodbyeIsHandedOn() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    await().until(() -> world.lastReport().conditions().toString().contains("Completed"));

    world.failReporting(2);
    fixture.untyped().cancel("somebody pressed the button");
    await().until(() -> isRepeated("Report"));
    workflow.retryNow(new RetryRequest(true, "late"));
    workflow.hold("later still");

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(world.lastReport().nextWake()).isEqualTo(Instant.EPOCH);
    assertThat(world.lastReport().state().request()).isEqualTo(PendingRetry.of(true, "late"));
    assertThat(world.lastReport().state().hold()).isEqualTo("later still");
  }

  @Test
  void aHoldThatComesWhileTheFirstUpIsBeingMarkedKeepsItFromBeingSent() {
    world.failMarking(2);
    StackWorkflow workflow = fixture.start();
    await().until(() -> isRepeated("Mark"));

    workflow.hold("audit");
    fixture.pass(Duration.ofSeconds(10));

    fixture.untilPhase("Paused");
    assertThat(world.operations()).isEmpty();
    workflow.resume();
    fixture.untilPhase("InSync");
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void aGenerationThatComesWhileTheFirstUpIsBeingMarkedIsTheOneThatRuns() {
    world.failMarking(2);
    StackWorkflow workflow = fixture.start();
    await().until(() -> isRepeated("Mark"));

    world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    fixture.pass(Duration.ofSeconds(10));

    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));
    assertThat(world.operations())
        .extracting(operation -> operation.input().generation())
        .containsExactly(2L);
  }

  @Test
  void aGenerationThatComesWhileTheFinalizerIsPutOnLeavesAHistoryThatReplays() {
    world.stack.finalizer(false);
    world.failMarking(2);
    StackWorkflow workflow = fixture.start();
    await().until(() -> isRepeated("Mark"));

    world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    fixture.pass(Duration.ofSeconds(10));

    // The fixture replays every run when it closes.
    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));
    assertThat(world.operations())
        .extracting(operation -> operation.input().generation())
        .containsExactly(2L);
  }

  @Test
  void aCancelThatComesWhileNoWorkerFollowsTheOperationReachesItNevertheless() {
    world.holdOperations().loseNextFollower(Duration.ofHours(1));
    StackWorkflow workflow = fixture.start();
    await().until(() -> isRepeated("RunOperation"));

    workflow.cancelOperation("wrong region");

    StackView view = fixture.until(now -> now.lastResult().equals(Outcome.CANCELLED.name()));
    assertThat(view.message()).contains("up was cancelled", "wrong region");
    assertThat(world.operations())
        .extracting(operation -> operation.input().attachOnly(), FakeWorld.Operation::outcome)
        .containsExactly(tuple(true, Outcome.CANCELLED));
  }

  @Test
  void aRunCancelledWhileNoWorkerFollowsItsOperationEndsThatToo() {
    world.holdOperations().loseNextFollower(Duration.ofHours(1));
    fixture.start();
    await().until(() -> isRepeated("RunOperation"));

    fixture.untyped().cancel("somebody pressed the button");

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::outcome)
        .containsExactly(Outcome.CANCELLED);
    assertThat(world.lastReport().state().last().outcome()).isEqualTo(Outcome.CANCELLED);
  }

  /** Whether an attempt of the activity has failed. */
  private boolean isRepeated(String activity) {
    return fixture.describe().getPendingActivitiesList().stream()
        .anyMatch(
            pending ->
                pending.getActivityType().getName().equals(activity) && pending.hasLastFailure());
  }
}
