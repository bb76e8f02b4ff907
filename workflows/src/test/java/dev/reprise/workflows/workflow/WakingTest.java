package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.client.WorkflowUpdateException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What may arrive, in each phase. */
class WakingTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void anotherGenerationEndsACooldownInANewRunThatCountsAnew() {
    world.script(OPERATION_FAILED, OPERATION_FAILED);
    StackWorkflow first = fixture.start();
    fixture.pass(Duration.ofMinutes(2));
    fixture.until(view -> view.failures() == 2);
    String run = runId();

    world.stack.generation(2);
    first.wake(new Hint("generation"));

    StackView view = fixture.until(now -> now.generation() == 2 && now.phase().equals("InSync"));
    assertThat(view.failures()).isZero();
    assertThat(runId()).isNotEqualTo(run);
    assertThat(world.operations().getLast().input().generation()).isEqualTo(2);
  }

  @Test
  void anotherGenerationWaitsForTheRunningOperationAndSkipsThoseBetween() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    world.stack.generation(3);
    workflow.wake(new Hint("generation"));
    assertThat(fixture.untilPhase("Running").generation()).isEqualTo(1);
    world.letOperationsThrough();

    fixture.until(view -> view.generation() == 3 && view.phase().equals("InSync"));
    assertThat(world.operations())
        .extracting(operation -> operation.input().generation())
        .containsExactly(1L, 3L);
  }

  @Test
  void aLowerGenerationOfARestoredClusterIsObeyedToo() {
    world.stack.generation(7);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.generation(4);
    workflow.wake(new Hint("generation"));

    fixture.until(view -> view.generation() == 4 && view.phase().equals("InSync"));
    assertThat(world.operations()).hasSize(2);
  }

  @Test
  void preparingIsGivenUpAtOnceForAnotherGeneration() throws Exception {
    world.holdWorkspaces();
    StackWorkflow workflow = fixture.start();
    world.awaitPreparing();

    world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    world.awaitPreparing();
    world.letWorkspacesThrough();

    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));
    assertThat(world.operations())
        .extracting(operation -> operation.input().generation())
        .containsExactly(2L);
  }

  @Test
  void aHintWithoutAChangeDoesNotDisturbPreparing() throws Exception {
    world.holdWorkspaces();
    StackWorkflow workflow = fixture.start();
    world.awaitPreparing();

    workflow.wake(new Hint("resync"));
    workflow.wake(new Hint("resync"));
    world.letWorkspacesThrough();

    fixture.untilPhase("InSync");
    assertThat(world.prepared()).isEqualTo(1);
  }

  @Test
  void aWakeThatComesDuringALookIsNotTakenForSeen() throws Exception {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.holdNextObservation();
    workflow.wake(new Hint("something"));
    world.awaitObserving();
    world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    world.letObservationThrough();

    fixture.until(view -> view.generation() == 2 && view.phase().equals("InSync"));
  }

  @Test
  void aRetryPastTheLimitThatNeverReachedTheProgramIsStillMade() {
    world.stack.retry(new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 1, 0));
    world.script(OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("Stalled");

    world.scriptWorkspace(Outcome.UNREACHABLE, "no connection");
    workflow.retryNow(new RetryRequest(false, ""));
    fixture.until(view -> view.lastResult().equals(Outcome.UNREACHABLE.name()));
    fixture.pass(Duration.ofMinutes(2));

    fixture.untilPhase("InSync");
  }

  @Test
  void aRetryThatCannotStartNowSaysWhatItWaitsFor() {
    world.stack.obstacle(Obstacle.input("SpecInvalid", "spec.stack is missing"));
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("Stalled");
    assertThat(workflow.retry(new RetryRequest(false, "")))
        .isEqualTo("kept until this is mended: spec.stack is missing");

    world.stack.obstacle(Obstacle.NONE).waitingFor(List.of("network has not succeeded yet"));
    workflow.wake(new Hint("edited"));
    fixture.untilPhase("WaitingForPrerequisites");
    assertThat(workflow.retry(new RetryRequest(false, "")))
        .isEqualTo("kept until the prerequisites are satisfied: network has not succeeded yet");
  }

  @Test
  void whatIsWrongWithTheSpecIsAnEventOnceAndAgainWhenItIsSomethingElse() {
    world.stack.obstacle(Obstacle.input("SpecInvalid", "spec.stack is missing"));
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("Stalled");
    fixture.pass(Duration.ofMinutes(20));
    assertThat(invalid()).containsExactly("spec.stack is missing");

    world.stack.obstacle(Obstacle.input("SpecInvalid", "Secret keys is missing"));
    workflow.wake(new Hint("edited"));
    await()
        .untilAsserted(
            () ->
                assertThat(invalid())
                    .containsExactly("spec.stack is missing", "Secret keys is missing"));
  }

  private List<String> invalid() {
    return world.reports().stream()
        .flatMap(report -> report.events().stream())
        .filter(event -> event.warning() && event.reason().equals("StackConfigInvalid"))
        .map(event -> event.message())
        .toList();
  }

  @Test
  void aRetryRightAfterAResumeIsNotRefused() throws Exception {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    workflow.hold("audit");
    fixture.untilPhase("Paused");

    world.holdNextObservation();
    workflow.resume();
    world.awaitObserving();
    workflow.retry(new RetryRequest(false, ""));
    world.letObservationThrough();

    await().until(() -> world.operations().size() == 2);
  }

  @Test
  void anUnreachableSourceIsAskedOftenButWrittenHourly() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.stack.obstacle(Obstacle.source("no route to git"));
    workflow.wake(new Hint("source"));
    fixture.untilPhase("Stalled");
    int reports = world.reports().size();

    fixture.pass(Duration.ofMinutes(190));

    assertThat(world.reports().size() - reports).isBetween(3, 4);
  }

  @Test
  void retryNowEndsACooldownAndKeepsTheCount() {
    world.script(OPERATION_FAILED, OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.until(view -> view.failures() == 1);

    workflow.retryNow(new RetryRequest(false, "fixed the quota"));

    assertThat(fixture.until(view -> view.failures() == 2).attempt()).isEqualTo(2);
  }

  @Test
  void retryNowWithResetCountsAnew() {
    world.script(OPERATION_FAILED, OPERATION_FAILED, OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.pass(Duration.ofSeconds(90));
    fixture.until(view -> view.failures() == 2);

    workflow.retryNow(new RetryRequest(true, ""));

    fixture.until(view -> view.failures() == 1);
    assertThat(world.operations()).hasSize(3);
  }

  @Test
  void retryNowTypedByHandWithoutInputWorks() {
    world.script(OPERATION_FAILED);
    fixture.start();
    fixture.untilPhase("CoolingDown");

    fixture.untyped().signal("retryNow");

    fixture.untilPhase("InSync");
  }

  @Test
  void retryNowDuringAnOperationRunsOneMore() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    workflow.retryNow(new RetryRequest(false, ""));
    workflow.retryNow(new RetryRequest(false, ""));
    world.finishOperation();
    world.awaitOperation();
    world.letOperationsThrough();

    fixture.untilPhase("InSync");
    assertThat(world.operations()).hasSize(2);
  }

  @Test
  void retryNowWhilePreparingIsThatAttempt() throws Exception {
    world.holdWorkspaces();
    StackWorkflow workflow = fixture.start();
    world.awaitPreparing();

    assertThat(workflow.retry(new RetryRequest(false, ""))).contains("attempt 1 is being prepared");
    world.letWorkspacesThrough();

    fixture.untilPhase("InSync");
    fixture.pass(Duration.ofMinutes(1));
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void retryNowInSyncRunsOnce() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    assertThat(workflow.retry(new RetryRequest(false, ""))).isEqualTo("attempt 1 starts now");

    await().until(() -> world.operations().size() == 2);
  }

  @Test
  void retryNowRunsAStackThatHasReachedItsLimit() {
    world.stack.retry(new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 1, 0));
    world.script(OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("Stalled");

    workflow.retryNow(new RetryRequest(true, ""));

    fixture.untilPhase("InSync");
  }

  @Test
  void retryNowIsKeptWhileSomethingIsInTheWay() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.stack.obstacle(Obstacle.input("SpecInvalid", "spec.stack is missing"));

    workflow.retryNow(new RetryRequest(false, ""));
    fixture.untilPhase("Stalled");
    assertThat(world.operations()).hasSize(1);
    world.stack.obstacle(Obstacle.NONE);
    workflow.wake(new Hint("edited"));

    await().until(() -> world.operations().size() == 2);
  }

  @Test
  void aSignalToRetryAPausedStackIsKeptUntilItResumesAndAnUpdateIsRefused() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    workflow.hold("maintenance");
    fixture.untilPhase("Paused");

    assertThatThrownBy(() -> workflow.retry(new RetryRequest(false, "")))
        .isInstanceOf(WorkflowUpdateException.class)
        .hasStackTraceContaining("held (maintenance); resume it first");
    workflow.retryNow(new RetryRequest(false, ""));
    fixture.pass(Duration.ofMinutes(5));
    assertThat(world.operations()).hasSize(1);
    workflow.resume();

    await().until(() -> world.operations().size() == 2);
  }

  @Test
  void aPauseKeepsTheConditionsAndNamesItself() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.pause("audit");
    workflow.wake(new Hint("pause"));
    fixture.untilPhase("Paused");

    await().until(() -> world.lastReport().paused().equals("audit"));
    assertThat(world.lastReport().conditions()).isEmpty();
    assertThat(world.lastReport().generation()).isZero();
  }

  @Test
  void retryNowWaitsForPrerequisites() {
    world.stack.waitingFor(List.of("network has not succeeded yet"));
    StackWorkflow workflow = fixture.start();
    assertThat(fixture.untilPhase("WaitingForPrerequisites").message())
        .isEqualTo("network has not succeeded yet");

    workflow.retryNow(new RetryRequest(false, ""));
    fixture.pass(Duration.ofMinutes(1));
    assertThat(world.operations()).isEmpty();
    world.stack.waitingFor(List.of());
    workflow.wake(new Hint("prerequisite"));

    fixture.untilPhase("InSync");
  }

  @Test
  void aNewForceTokenRunsAtOnceAndIsEchoedOnlyThen() {
    world.stack.token("at-creation");
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    fixture.pass(Duration.ofMinutes(1));
    assertThat(world.operations()).hasSize(1);

    world.stack.token("now").waitingFor(List.of("network"));
    workflow.wake(new Hint("token"));
    fixture.untilPhase("WaitingForPrerequisites");
    await().until(() -> world.lastReport().conditions().toString().contains("network"));
    assertThat(world.lastReport().reconcileRequest()).isEqualTo("at-creation");
    world.stack.waitingFor(List.of());
    workflow.wake(new Hint("prerequisite"));

    await().until(() -> world.lastReport().reconcileRequest().equals("now"));
    assertThat(world.operations()).hasSize(2);
  }

  @Test
  void changedInputsRunAgainButAForeignDigestIsOnlyAdopted() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.inputs("v1:other-key:x");
    workflow.wake(new Hint("inputs"));
    fixture.pass(Duration.ofMinutes(1));
    assertThat(world.operations()).hasSize(1);
    world.stack.inputs("v1:other-key:y");
    workflow.wake(new Hint("inputs"));

    await().until(() -> world.operations().size() == 2);
  }

  @Test
  void cancelOperationEndsItGracefullyAndUncounted() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    workflow.cancelOperation("wrong region");

    StackView view = fixture.until(now -> now.lastResult().equals(Outcome.CANCELLED.name()));
    assertThat(view.failures()).isZero();
    assertThat(view.message()).contains("up was cancelled", "wrong region");
    assertThat(view.phase()).isEqualTo("CoolingDown");
  }

  @Test
  void aRunWithoutWorkLooksOnceADayAndShowsThatItLives() {
    fixture.start();
    fixture.untilPhase("InSync");
    int reports = world.reports().size();

    fixture.pass(Duration.ofDays(3));

    assertThat(world.reports().size() - reports).isBetween(3, 4);
    assertThat(world.operations()).hasSize(1);
  }

  private String runId() {
    return fixture.describe().getWorkflowExecutionInfo().getExecution().getRunId();
  }
}
