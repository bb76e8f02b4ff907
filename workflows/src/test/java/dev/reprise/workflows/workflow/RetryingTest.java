package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static dev.reprise.workflows.decision.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RetryingTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();

  @Test
  void failsTwiceThenSucceedsWithGrowingCooldownsAndForgetsTheFailures() {
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED, SUCCEEDED);
    fixture.start();

    fixture.pass(Duration.ofMinutes(10));

    assertThat(fixture.world.operations())
        .extracting(operation -> operation.outcome())
        .containsExactly(OPERATION_FAILED, OPERATION_FAILED, SUCCEEDED);
    assertGaps(Duration.ofMinutes(1), Duration.ofMinutes(2));
    StackView view = fixture.untilPhase("InSync");
    assertThat(view.failures()).isZero();
    assertThat(view.nextAttempt()).isEmpty();
  }

  @Test
  void cooldownDoublesUpToADayAndStaysThere() {
    fixture.world.script(Collections.nCopies(14, OPERATION_FAILED).toArray(Outcome[]::new));
    fixture.start();

    fixture.pass(Duration.ofDays(6));

    List<Duration> minutes =
        List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440).stream()
            .map(Duration::ofMinutes)
            .toList();
    assertGaps(minutes.toArray(Duration[]::new));
    int attempts = fixture.world.operations().size();
    long events = fixture.describe().getWorkflowExecutionInfo().getHistoryLength();
    assertThat(events / attempts).as("events per attempt").isBetween(10L, 40L);
  }

  @Test
  void aFailedResyncStartsAgainWithTheFirstCooldown() {
    fixture.world.stack.resync(Duration.ofHours(1));
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED, SUCCEEDED, OPERATION_FAILED);
    fixture.start();

    fixture.pass(Duration.ofMinutes(75));

    List<Duration> gaps = fixture.world.gaps();
    assertThat(gaps).hasSize(4);
    assertThat(gaps.get(2))
        .as("the period and this Stack's part of its tenth")
        .isBetween(Duration.ofHours(1), Duration.ofMinutes(67));
    assertThat(gaps.getLast()).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(90));
  }

  @Test
  void whileCoolingDownItIsReconcilingAndNeverReadyAndSaysWhyAndWhen() {
    fixture.world.script(OPERATION_FAILED);
    fixture.start();
    StackView view = fixture.untilPhase("CoolingDown");

    await().until(() -> shows("RetryingAfterFailure"));
    ReportInput report = fixture.world.lastReport();
    assertThat(report.conditions())
        .extracting(Condition::type, Condition::status)
        .containsExactly(tuple("Ready", false), tuple("Reconciling", true));
    assertThat(report.conditions().getLast().message())
        .contains(
            "up failed once: boom",
            "attempt 2 at " + report.nextAttempt().truncatedTo(ChronoUnit.SECONDS))
        .contains("reprise retry");
    assertThat(view.nextAttempt()).isNotEmpty();
    assertThat(report.nextWake()).isEqualTo(report.nextAttempt());
  }

  @Test
  void aChangedPolicyAppliesToTheRemainingWait() {
    fixture.world.script(OPERATION_FAILED, SUCCEEDED);
    fixture.world.stack.retry(new RetryPolicy(Duration.ofHours(5), Duration.ofDays(1), 0, 0));
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("CoolingDown");

    fixture.world.stack.retry(RetryPolicy.DEFAULT);
    workflow.wake(new Hint("policy"));
    fixture.pass(Duration.ofMinutes(2));

    assertGaps(Duration.ofMinutes(1));
  }

  @Test
  void stopsAtTheFailureLimitAndANewRevisionStartsAgain() {
    fixture.world.stack.retry(new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 2, 0));
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.pass(Duration.ofDays(3));
    assertThat(fixture.world.operations()).hasSize(2);
    assertThat(fixture.untilPhase("Stalled").message()).contains("failed 2 times");

    fixture.world.stack.revision("r2");
    workflow.wake(new Hint("revision"));
    fixture.untilPhase("InSync");

    assertThat(fixture.world.operations()).hasSize(3);
  }

  @Test
  void theTimelineTellsOfEachCooldownHowLongAndWhy() {
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED);
    fixture.start();
    fixture.pass(Duration.ofMinutes(4));
    fixture.untilPhase("InSync");

    assertThat(fixture.timerSummaries())
        .contains("cooldown 1m after 1 failure: boom", "cooldown 2m after 2 failures: boom");
  }

  @Test
  void stalledAfterShowsStalledAndGoesOnRetrying() {
    fixture.world.stack.retry(new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 0, 2));
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED, OPERATION_FAILED);
    fixture.start();

    fixture.pass(Duration.ofMinutes(5));

    assertThat(fixture.world.operations()).hasSize(3);
    await().until(() -> shows("Stalled"));
  }

  @Test
  void anUnreachableAgentIsTriedAgainQuicklyAndNotCounted() {
    fixture.world.scriptWorkspace(Outcome.UNREACHABLE, "no connection");
    fixture.world.scriptWorkspace(Outcome.UNREACHABLE, "no connection");
    fixture.start();

    fixture.pass(Duration.ofMinutes(1).plusSeconds(30));
    assertThat(fixture.until(view -> view.lastResult().equals("UNREACHABLE")).failures()).isZero();
    fixture.pass(Duration.ofMinutes(2));

    fixture.untilPhase("InSync");
    assertThat(fixture.world.prepared()).isEqualTo(3);
    assertThat(fixture.world.operations()).hasSize(1);
  }

  @Test
  void aFailedWorkspaceIsCountedButLeavesTheLastUpdateAlone() {
    fixture.world.scriptWorkspace(Outcome.WORKSPACE_FAILED, "npm install failed");
    fixture.start();

    assertThat(fixture.until(view -> view.failures() == 1).message())
        .contains("npm install failed");
    await().until(() -> shows("WorkspaceFailed"));
    assertThat(fixture.world.lastReport().state().lastUpdate().exists()).isFalse();
    fixture.pass(Duration.ofMinutes(2));
    fixture.untilPhase("InSync");
  }

  @Test
  void twoInterruptionsAreRetriedAtOnceTheThirdIsCounted() {
    fixture.world.script(Outcome.INTERRUPTED, Outcome.INTERRUPTED, Outcome.INTERRUPTED);
    fixture.start();

    fixture.pass(Duration.ofSeconds(30));
    assertThat(fixture.world.operations()).hasSize(3);
    assertThat(fixture.untilPhase("CoolingDown").failures()).isEqualTo(1);
    fixture.pass(Duration.ofMinutes(1));

    fixture.untilPhase("InSync");
  }

  @Test
  void anOperationThatOutlivedItsFollowerIsFoundAgainAndNotRunASecondTime() {
    fixture.world.script(Outcome.INTERRUPTED).findAgain(SUCCEEDED);
    fixture.start();

    assertThat(fixture.untilPhase("InSync").failures()).isZero();

    assertThat(fixture.world.operations()).hasSize(1);
    await().until(() -> shows("ProcessingCompleted"));
    assertThat(fixture.world.lastReport().state().lastUpdate().name())
        .isEqualTo(fixture.world.operations().getFirst().input().update());
  }

  @Test
  void anInterruptedOperationFoundAgainIsNotTakenForWhatIsAskedForSince() throws Exception {
    FakeWorld world = fixture.world;
    world.script(Outcome.INTERRUPTED).findAgain(SUCCEEDED).holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    world.stack.token("now").revision("r2");
    workflow.wake(new Hint("token"));
    world.letOperationsThrough();

    fixture.untilPhase("InSync");
    assertThat(world.followed()).isEmpty();
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::outcome)
        .containsExactly(Outcome.INTERRUPTED, SUCCEEDED);
  }

  @Test
  void aHoldThatComesWhileALostOperationIsAskedForKeepsTheNextFromStarting() throws Exception {
    FakeWorld world = fixture.world;
    world.script(Outcome.INTERRUPTED).holdFollowers();
    StackWorkflow workflow = fixture.start();
    world.awaitFollower();

    workflow.hold("freeze");
    await().until(() -> world.lastReport().state().hold().equals("freeze"));
    world.letFollowersThrough();

    fixture.untilPhase("Paused");
    fixture.pass(Duration.ofHours(1));
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::outcome)
        .containsExactly(Outcome.INTERRUPTED);
    workflow.resume();
    fixture.untilPhase("InSync");
    assertThat(world.operations()).hasSize(2);
  }

  @Test
  void aSupersededOperationIsNeitherRecordedNorCounted() {
    fixture.world.supersedeNext();
    fixture.start();

    fixture.pass(Duration.ofSeconds(10));

    assertThat(fixture.world.operations()).hasSize(1);
    assertThat(fixture.untilPhase("InSync").failures()).isZero();
  }

  @Test
  void previewFailsAndIsRetriedByTheSameRule() {
    fixture.world.stack.kind(OperationKind.PREVIEW);
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED, SUCCEEDED);
    fixture.start();

    fixture.pass(Duration.ofMinutes(4));

    assertGaps(Duration.ofMinutes(1), Duration.ofMinutes(2));
    assertThat(fixture.untilPhase("InSync").message()).isEqualTo("the stack has been previewed");
  }

  private boolean shows(String word) {
    return fixture.world.lastReport().conditions().stream()
        .anyMatch(condition -> condition.reason().equals(word) || condition.type().equals(word));
  }

  /** Gaps between operations; service timers round up to seconds and each attempt takes moments. */
  private void assertGaps(Duration... expected) {
    List<Duration> gaps = fixture.world.gaps();
    assertThat(gaps).hasSameSizeAs(expected);
    for (int i = 0; i < expected.length; i++) {
      assertThat(gaps.get(i)).isBetween(expected[i], expected[i].plusSeconds(30));
    }
  }
}
