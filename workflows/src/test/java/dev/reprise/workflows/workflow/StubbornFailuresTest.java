package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static dev.reprise.workflows.decision.Outcome.PENDING_OPERATIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Failures that go on for long, as users of such operators report them, and what ends them. */
class StubbornFailuresTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void afterNineFailuresTheLongestWaitIsKeptToAndARetryStillStartsAtOnce() {
    world.stack.retry(new RetryPolicy(Duration.ofMinutes(1), Duration.ofMinutes(5), 0, 0));
    world.script(Collections.nCopies(9, OPERATION_FAILED).toArray(Outcome[]::new));
    StackWorkflow workflow = fixture.start();

    fixture.pass(Duration.ofMinutes(33));

    assertThat(world.gaps())
        .extracting(Duration::toMinutes)
        .containsExactly(1L, 2L, 4L, 5L, 5L, 5L, 5L, 5L);
    assertThat(fixture.untilPhase("CoolingDown").failures()).isEqualTo(9);
    assertThat(
            fixture
                .describe()
                .getWorkflowExecutionInfo()
                .getSearchAttributes()
                .containsIndexedFields("StackNextAttempt"))
        .isTrue();

    workflow.retryNow(new RetryRequest(false, "the cause is mended"));

    assertThat(fixture.untilPhase("InSync").failures()).isZero();
    assertThat(world.gaps().getLast()).isLessThan(Duration.ofMinutes(5));
  }

  @Test
  void aNewRevisionEndsACooldownAtOnce() {
    world.script(OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("CoolingDown");

    world.stack.revision("r2");
    workflow.wake(new Hint("revision"));

    fixture.untilPhase("InSync");
    assertThat(world.gaps()).singleElement().matches(gap -> gap.toMinutes() == 0);
  }

  @Test
  void eachAttemptLooksAnewAlsoWhenNobodyToldOfAChange() {
    world.script(OPERATION_FAILED);
    fixture.start();
    fixture.untilPhase("CoolingDown");

    world.stack.revision("r2").inputs("v1:k:b");
    fixture.pass(Duration.ofMinutes(2));

    fixture.untilPhase("InSync");
    await().until(() -> world.lastReport().state().last().succeeded());
    assertThat(world.lastReport().state().last().revision()).isEqualTo("r2");
    assertThat(world.lastReport().state().last().inputs()).isEqualTo("v1:k:b");
    assertThat(world.operations()).hasSize(2);
  }

  @Test
  void nothingThatHappensOutsideEndsARunningOperation() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();

    for (int i = 0; i < 20; i++) {
      world.stack.pause(i % 2 == 0 ? "for a moment" : "");
      workflow.wake(new Hint("the workspace is " + (i % 2 == 0 ? "not ready" : "ready")));
    }
    fixture.until(view -> view.phase().equals("Running"));
    world.letOperationsThrough();

    fixture.untilPhase("InSync");
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::outcome)
        .containsExactly(Outcome.SUCCEEDED);
    await().until(() -> world.lastReport().state().last().succeeded());
    assertThat(world.lastReport().state().lastUpdate().name())
        .isEqualTo(world.operations().getFirst().input().update());
  }

  @Test
  void pendingOperationsStallAtOnceAreNotCountedAndAreTriedOnceAnHour() {
    world.script(PENDING_OPERATIONS, PENDING_OPERATIONS);
    fixture.start();

    assertThat(fixture.untilPhase("Stalled").failures()).isZero();
    fixture.pass(Duration.ofMinutes(58));
    assertThat(world.operations()).hasSize(1);
    fixture.pass(Duration.ofMinutes(4));

    assertThat(world.operations()).hasSize(2);
    assertThat(fixture.untilPhase("Stalled").failures()).isZero();
    assertThat(world.reports().stream().flatMap(report -> report.conditions().stream()))
        .anyMatch(
            condition -> condition.status() && condition.reason().equals("PendingOperations"));
  }

  @Test
  void aRunCancelledInTheMiddleOfEverythingReplaysTheSameEveryTime() throws Exception {
    world.holdOperations();
    StackWorkflow workflow = fixture.start();
    world.awaitOperation();
    world.failReporting(3);
    workflow.retryNow(new RetryRequest(true, "again"));
    workflow.wake(new Hint("anything"));

    fixture.untyped().cancel("somebody pressed the button");

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    // The SDK once ended the parts of a cancelled run in an order that chance decided.
    fixture.replay(50);
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::outcome)
        .containsExactly(Outcome.CANCELLED);
  }
}
