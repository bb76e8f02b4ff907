package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static dev.reprise.workflows.decision.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run that was lost is followed by one that goes on as it would have, from the status alone. */
class LosingTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void aRunLostWhileCoolingDownIsFollowedByOneThatWaitsForTheRest() {
    world.script(OPERATION_FAILED, OPERATION_FAILED, OPERATION_FAILED, OPERATION_FAILED);
    fixture.start();
    fixture.pass(Duration.ofMinutes(4));
    fixture.until(view -> view.failures() == 3);
    Instant next = Instant.parse(fixture.current().status().nextAttempt());

    lose();
    fixture.pass(Duration.ofMinutes(2));
    succeed();

    assertThat(fixture.untilPhase("CoolingDown").nextAttempt()).isEqualTo(next.toString());
    assertThat(world.operations()).hasSize(3);
    fixture.pass(Duration.ofMinutes(3));
    StackView view = fixture.until(now -> now.failures() == 4);
    assertThat(view.attempt()).isEqualTo(4);
    assertThat(world.operations().getLast().start())
        .isBetween(next, next.plus(Duration.ofSeconds(5)));
  }

  @Test
  void aRunLostInSyncIsFollowedByOneThatRunsNothing() {
    fixture.start();
    fixture.untilPhase("InSync");
    await().until(() -> shown("ProcessingCompleted"));

    lose();
    fixture.pass(Duration.ofHours(1));
    succeed();
    fixture.untilPhase("InSync");
    fixture.pass(Duration.ofDays(2));

    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void theEndOfAnOperationThatOutlivesItsRunIsTheEndOfThatAttempt() throws Exception {
    world.script(OPERATION_FAILED).holdOperations();
    fixture.start();
    world.awaitOperation();
    world.finishOperation();
    fixture.until(view -> view.failures() == 1);
    fixture.pass(Duration.ofSeconds(61));
    world.awaitOperation();
    await().until(() -> recorded().underway().exists());
    Underway operation = recorded().underway();

    lose();
    world.findAgain(OPERATION_FAILED);
    succeed();

    StackView view = fixture.until(now -> now.failures() == 2);
    assertThat(view.attempt()).isEqualTo(2);
    OperationInput followed = world.followed().getLast();
    assertThat(followed.update()).isEqualTo(operation.update());
    assertThat(followed.operationId()).isEqualTo("uid-1/1/up/%s".formatted(operation.update()));
    await().until(() -> recorded().failures() == 2 && !recorded().underway().exists());
    assertThat(recorded().lastUpdate().name()).isEqualTo(operation.update());
    // The first attempt's; the second was only followed.
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void anotherGenerationWaitsForTheOperationThatOutlivedItsRun() throws Exception {
    world.holdOperations();
    fixture.start();
    world.awaitOperation();
    await().until(() -> recorded().underway().exists());

    lose();
    world.stack.generation(2);
    world.findAgain(SUCCEEDED).letLaterOperationsThrough();
    succeed();

    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));
    assertThat(world.followed()).extracting(OperationInput::generation).containsExactly(1L);
    assertThat(world.operations())
        .extracting(operation -> operation.input().generation())
        .containsExactly(2L);
  }

  @Test
  void aTokenSetAfterTheOperationThatOutlivedItsRunIsNotEchoedByIt() throws Exception {
    world.holdOperations().stack.token("first");
    fixture.start();
    world.awaitOperation();
    await().until(() -> recorded().underway().exists());

    lose();
    long sequence = recorded().sequence();
    world.stack.token("second");
    world.findAgain(SUCCEEDED).letLaterOperationsThrough();
    succeed();

    await().until(() -> !world.operations().isEmpty() && shown("ProcessingCompleted"));
    assertThat(world.reports())
        .filteredOn(report -> report.state().sequence() > sequence)
        .filteredOn(report -> report.state().underway().reconcileRequest().equals("first"))
        .extracting(ReportInput::reconcileRequest)
        .isNotEmpty()
        .containsOnly("first");
    assertThat(world.lastReport().reconcileRequest()).isEqualTo("second");
  }

  @Test
  void anOperationTheAgentDoesNotKnowAnyMoreIsMadeAgainUncounted() throws Exception {
    world.holdOperations();
    fixture.start();
    world.awaitOperation();
    await().until(() -> recorded().underway().exists());

    lose();
    world.letLaterOperationsThrough();
    succeed();

    fixture.untilPhase("InSync");
    assertThat(world.operations()).hasSize(1);
    assertThat(world.reports()).extracting(report -> report.state().failures()).containsOnly(0);
  }

  @Test
  void anAttemptLostWhilePreparedIsMadeAnewWithItsNumberItsCountAndItsRequest() throws Exception {
    world.stack.retry(new RetryPolicy(Duration.ofHours(1), Duration.ofDays(1), 0, 0));
    world.script(OPERATION_FAILED, OPERATION_FAILED);
    fixture.start();
    fixture.until(view -> view.failures() == 1);
    world.holdWorkspaces();
    fixture.current().retryNow(new RetryRequest(false, "fixed the quota"));
    world.awaitPreparing();
    fixture.pass(Duration.ofSeconds(2));
    await().until(() -> shown("attempt 2"));
    assertThat(recorded().request().reason()).isEqualTo("fixed the quota");

    lose();
    world.letLaterWorkspacesThrough();
    succeed();

    StackView view = fixture.until(now -> now.failures() == 2);
    assertThat(view.attempt()).isEqualTo(2);
    await().until(() -> !recorded().request().present());
    assertThat(world.operations()).hasSize(2);
  }

  @Test
  void whatIsAskedForWhileAnOperationRunsIsRecordedAtOnceAndOutlivesTheRun() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    workflow.retryNow(new RetryRequest(false, "new quota"));
    workflow.hold("audit");
    await().until(() -> recorded().request().present() && recorded().hold().equals("audit"));
    assertThat(world.lastReport().paused()).isEmpty();
    lose();
    world.findAgain(SUCCEEDED).letLaterOperationsThrough();
    StackWorkflow successor = succeed();

    fixture.untilPhase("Paused");
    assertThat(world.operations()).isEmpty();
    successor.resume();
    fixture.untilPhase("InSync");
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void aRetryIsRefusedOnceTheStackIsHeldAlsoWhileAnOperationRuns() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();
    workflow.hold("audit");
    await().until(() -> recorded().hold().equals("audit"));

    assertThat(catchThrowable(() -> workflow.retry(new RetryRequest(false, ""))))
        .hasStackTraceContaining("held (audit); resume it first");

    world.letOperationsThrough();
    fixture.untilPhase("Paused");
  }

  @Test
  void aRunLostWhileHeldIsFollowedByOneThatIsHeld() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    workflow.hold("audit");
    await().until(() -> world.lastReport().paused().equals("audit"));

    lose();
    world.stack.generation(2);
    succeed();

    assertThat(fixture.untilPhase("Paused").message()).isEqualTo("audit");
    fixture.pass(Duration.ofHours(5));
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void aDestroyLostUnderwayIsFollowedAndThenReleases() throws Exception {
    fixture.start();
    fixture.untilPhase("InSync");
    world.holdOperations();
    world.stack.delete();
    fixture.current().wake(new Hint("deletion"));
    world.awaitOperation();
    await().until(() -> recorded().underway().deletion());

    lose();
    world.findAgain(SUCCEEDED);
    succeed();

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
    assertThat(world.followed())
        .extracting(OperationInput::kind)
        .containsExactly(OperationKind.DESTROY);
    assertThat(world.stack.finalizer()).isFalse();
  }

  @Test
  void aStatusWipedUnderALivingRunIsWrittenAgain() {
    world.script(OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("CoolingDown");
    await().until(() -> recorded().failures() == 1);
    int reports = world.reports().size();

    world.stack.seed(StackState.EMPTY);
    workflow.wake(new Hint("not taken up yet"));

    await().until(() -> world.reports().size() > reports);
    assertThat(recorded().failures()).isEqualTo(1);
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void aClusterRestoredFromYesterdayIsObeyedAndItsStatusWrittenAgain() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    await().until(() -> shown("ProcessingCompleted"));
    StackState yesterday = recorded();
    world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));
    await().until(() -> world.lastReport().generation() == 2 && shown("ProcessingCompleted"));
    long sequence = recorded().sequence();

    world.stack.generation(1).seed(yesterday);
    fixture.current().wake(new Hint("generation"));

    fixture.until(view -> view.generation() == 1 && view.phase().equals("InSync"));
    await().until(() -> recorded().sequence() > sequence && shown("ProcessingCompleted"));
    assertThat(world.operations())
        .extracting(operation -> operation.input().generation())
        .containsExactly(1L, 2L, 1L);
  }

  @Test
  void aCancelIsAnsweredAndRefusedWhereNothingRuns() throws Exception {
    world.script(OPERATION_FAILED).holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();
    fixture.untilPhase("Running");

    assertThat(workflow.cancel("wrong region")).isEqualTo("up, attempt 1, is being cancelled");

    StackView view = fixture.until(now -> now.lastResult().equals(Outcome.CANCELLED.name()));
    assertThat(view.message()).contains("wrong region");
    assertThat(catchThrowable(() -> workflow.cancel("again")))
        .hasStackTraceContaining("no operation runs (CoolingDown); there is nothing to cancel");
  }

  @Test
  void theEndOfAHoldTellsWhetherTheAnnotationStillPauses() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    workflow.hold("audit");
    fixture.untilPhase("Paused");
    world.stack.pause("db upgrade");
    workflow.resume();

    await().until(() -> events().stream().anyMatch(e -> e.reason().equals("HoldEnded")));
    assertThat(events())
        .contains(new StackEvent(false, "HoldBegan", "held: audit"))
        .contains(
            new StackEvent(
                false,
                "HoldEnded",
                "the hold has ended; the annotation still pauses the Stack: db upgrade"));
    assertThat(fixture.until(view -> view.message().equals("db upgrade")).phase())
        .isEqualTo("Paused");
  }

  @Test
  void aPausedStackTellsWhichGenerationAndTokenItHasSeen() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.stack.pause("audit").generation(2).token("now");
    workflow.wake(new Hint("paused"));
    fixture.untilPhase("Paused");

    await().until(() -> world.lastReport().paused().equals("audit"));
    ReportInput paused = world.lastReport();
    assertThat(paused.generation()).isZero();
    assertThat(paused.looked().generation()).isEqualTo(2);
    assertThat(paused.looked().reconcileRequest()).isEqualTo("now");
  }

  private void lose() {
    fixture.untyped().terminate("lost");
    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED);
  }

  /** As the watcher does it: all the successor knows is what the status shows. */
  private StackWorkflow succeed() {
    world.stack.seed(recorded());
    return fixture.start();
  }

  private StackState recorded() {
    return world.lastReport().state();
  }

  private boolean shown(String text) {
    return world.lastReport().conditions().toString().contains(text);
  }

  private List<StackEvent> events() {
    return world.reports().stream().flatMap(report -> report.events().stream()).toList();
  }
}
