package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.Observation.Presence;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing is lost when runs, writes or reads are. */
class SurvivingTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void aRunWithoutCarriedStateGoesOnWithTheCountAndTheWaitTheStatusShows() {
    Instant ended = Instant.ofEpochMilli(fixture.environment.currentTimeMillis());
    world.stack.seed(failed(4, ended, 17));
    world.script(OPERATION_FAILED);
    fixture.start();

    StackView view = fixture.untilPhase("CoolingDown");
    assertThat(view.failures()).isEqualTo(4);
    fixture.pass(Duration.ofMinutes(7));
    assertThat(world.operations()).isEmpty();
    fixture.pass(Duration.ofMinutes(2));

    assertThat(fixture.until(now -> now.failures() == 5).attempt()).isEqualTo(5);
    await().until(() -> world.lastReport().state().sequence() > 17);
  }

  @Test
  void aRunWithoutCarriedStateOfAStackInSyncRunsNothing() {
    LastAttempt done =
        new LastAttempt(
            OperationKind.UP, 1, false, "", "r1", "", "", Outcome.SUCCEEDED, "", Instant.now());
    world.stack.seed(
        new StackState(
            0, 1, 0, 0, true, done, LastUpdate.NONE, "", PendingRetry.NONE, Underway.NONE, 3));
    fixture.start();

    fixture.untilPhase("InSync");
    fixture.pass(Duration.ofDays(2));

    assertThat(world.operations()).isEmpty();
  }

  @Test
  void aRunOlderThanTheObjectTakesItsStateFromTheStatusAndCountsOn() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    Instant now = Instant.ofEpochMilli(fixture.environment.currentTimeMillis());

    world.stack.seed(failed(3, now, 500));
    workflow.wake(new Hint("Temporal was restored from yesterday"));

    assertThat(fixture.untilPhase("CoolingDown").failures()).isEqualTo(3);
    await().until(() -> world.lastReport().state().sequence() == 501);
  }

  @Test
  void aLostStatusWriteIsReportedAgain() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    await().until(() -> world.lastReport().conditions().toString().contains("Completed"));
    int reports = world.reports().size();

    world.stack.shownSequence(1);
    workflow.wake(new Hint("the cluster was restored"));

    await().until(() -> world.reports().size() == reports + 1);
  }

  @Test
  void aStatusThatCannotBeWrittenNeverDelaysTheNextAttempt() {
    world.failReporting(1_000_000);
    world.script(OPERATION_FAILED, OPERATION_FAILED);
    fixture.start();

    fixture.pass(Duration.ofMinutes(4));

    assertThat(world.operations()).hasSize(3);
    world.failReporting(0);
    fixture.pass(Duration.ofSeconds(20));
    await().until(() -> !world.reports().isEmpty());
    assertThat(world.lastReport().conditions().toString()).contains("ProcessingCompleted");
  }

  @Test
  void aFailedLookIsRepeatedUntilTheApiServerAnswers() {
    world.failObserving(3);
    fixture.start();

    fixture.pass(Duration.ofSeconds(30));

    fixture.untilPhase("InSync");
  }

  @Test
  void aStackThatCannotBeReadIsNotTakenForGone() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.presence(Presence.UNREADABLE);
    workflow.wake(new Hint("rights"));
    assertThat(fixture.untilPhase("Unreadable").message()).isEqualTo("no right to read stacks");
    world.stack.presence(Presence.PRESENT);
    fixture.pass(Duration.ofMinutes(6));

    fixture.untilPhase("InSync");
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void continueAsNewForALongHistoryKeepsTheCountAndTheWait() {
    world.script(OPERATION_FAILED, OPERATION_FAILED, OPERATION_FAILED);
    fixture.start(1);

    fixture.pass(Duration.ofMinutes(8));

    assertThat(world.operations()).hasSize(4);
    assertThat(world.gaps().getLast()).isBetween(Duration.ofMinutes(4), Duration.ofSeconds(260));
    fixture.untilPhase("InSync");
    assertThat(fixture.describe().getWorkflowExecutionInfo().getFirstRunId())
        .isNotEqualTo(fixture.describe().getWorkflowExecutionInfo().getExecution().getRunId());
  }

  @Test
  void aCancelledRunEndsItsOperationGracefullyAndAsksForASuccessor() throws Exception {
    world.holdOperations();
    fixture.start();
    world.awaitOperation();
    fixture.current().hold("audit");

    fixture.untyped().cancel("somebody pressed the button");

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::outcome)
        .containsExactly(Outcome.CANCELLED);
    assertThat(world.lastReport().nextWake()).isEqualTo(Instant.EPOCH);
    assertThat(world.lastReport().state().hold()).isEqualTo("audit");
    assertThat(world.lastReport().state().last().outcome()).isEqualTo(Outcome.CANCELLED);
  }

  @Test
  void aHeldRunThatIsCancelledAsksForASuccessorToo() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    workflow.hold("audit");
    fixture.untilPhase("Paused");
    await().until(() -> world.lastReport().paused().equals("audit"));

    fixture.untyped().cancel("somebody pressed the button");

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(world.lastReport().nextWake()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void aRunCancelledWhileTheApiServerIsAwayStillSaysGoodbyeAndKeepsTheRequest() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.failObserving(1_000_000);
    workflow.retryNow(new RetryRequest(true, "fixed"));
    await().until(() -> fixture.describe().getPendingActivitiesCount() > 0);
    fixture.untyped().cancel("somebody pressed the button");

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    assertThat(world.lastReport().nextWake()).isEqualTo(Instant.EPOCH);
    assertThat(world.lastReport().state().request()).isEqualTo(PendingRetry.of(true, "fixed"));
  }

  @Test
  void theEventOfAFailureIsToldAlsoWhenTheRunContinuesAsNewAtOnce() throws Exception {
    world.holdOperations().script(OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();
    world.stack.generation(2);
    workflow.wake(new Hint("generation"));

    world.letOperationsThrough();
    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));

    assertThat(world.reports().stream().flatMap(report -> report.events().stream()))
        .anyMatch(event -> event.reason().equals("StackUpdateFailure"));
  }

  private static StackState failed(int failures, Instant ended, long sequence) {
    LastAttempt last =
        new LastAttempt(
            OperationKind.UP, 1, false, "", "r1", "v1:k:a", "", OPERATION_FAILED, "boom", ended);
    return new StackState(
        failures,
        failures,
        0,
        failures,
        true,
        last,
        LastUpdate.NONE,
        "",
        PendingRetry.NONE,
        Underway.NONE,
        sequence);
  }
}
