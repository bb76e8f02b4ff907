package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static dev.reprise.workflows.decision.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.testing.RunFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A policy that changes while a Stack cools down applies to the wait that is left. */
class PolicyChangeTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();

  @Test
  void aShorterLongestWaitEndsTheWaitSoonerCountedFromTheEndOfTheAttempt() {
    StackWorkflow workflow = failedOnce(policy(Duration.ofHours(5), Duration.ofDays(1), 0));
    fixture.pass(Duration.ofMinutes(10));

    change(workflow, policy(Duration.ofHours(5), Duration.ofMinutes(30), 0));
    fixture.pass(Duration.ofMinutes(19));
    assertThat(fixture.world.operations()).hasSize(1);
    fixture.pass(Duration.ofMinutes(2));

    assertThat(fixture.world.gaps())
        .singleElement()
        .satisfies(
            gap -> assertThat(gap).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(31)));
  }

  @Test
  void aShorterOneThatIsOverAlreadyRunsAtOnce() {
    StackWorkflow workflow = failedOnce(policy(Duration.ofHours(5), Duration.ofDays(1), 0));
    fixture.pass(Duration.ofMinutes(10));

    change(workflow, policy(Duration.ofMinutes(1), Duration.ofDays(1), 0));
    fixture.untilPhase("InSync");

    assertThat(fixture.world.operations()).hasSize(2);
  }

  @Test
  void aLongerOneWaitsLonger() {
    StackWorkflow workflow = failedOnce(policy(Duration.ofMinutes(10), Duration.ofDays(1), 0));
    fixture.pass(Duration.ofMinutes(5));

    change(workflow, policy(Duration.ofHours(1), Duration.ofDays(1), 0));
    fixture.pass(Duration.ofMinutes(50));
    assertThat(fixture.world.operations()).hasSize(1);
    fixture.pass(Duration.ofMinutes(10));

    assertThat(fixture.world.operations()).hasSize(2);
  }

  @Test
  void aFailureLimitSetBelowTheCountStopsAndItsRemovalGoesOn() {
    fixture.world.script(OPERATION_FAILED, OPERATION_FAILED, OPERATION_FAILED);
    StackWorkflow workflow = fixture.start();
    fixture.pass(Duration.ofMinutes(4));
    fixture.until(view -> view.failures() == 3);

    change(workflow, policy(Duration.ofMinutes(1), Duration.ofDays(1), 2));
    assertThat(fixture.untilPhase("Stalled").nextAttempt()).isEmpty();
    fixture.pass(Duration.ofDays(3));
    assertThat(fixture.world.operations()).hasSize(3);

    change(workflow, RetryPolicy.DEFAULT);
    fixture.untilPhase("InSync");
    assertThat(fixture.world.operations()).hasSize(4);
  }

  @Test
  void aSettingThatCannotBeReadStopsTheStackUntilItIsMendedAndForgetsNothing() {
    StackWorkflow workflow = failedOnce(policy(Duration.ofMinutes(10), Duration.ofDays(1), 0));
    fixture.world.stack.obstacle(
        Obstacle.input("SpecInvalid", "metadata.annotations[reprise.dev/retry.failureLimit] …"));
    workflow.wake(new Hint("retry policy changed"));
    fixture.untilPhase("Stalled");
    fixture.pass(Duration.ofMinutes(5));
    assertThat(fixture.world.operations()).hasSize(1);

    fixture.world.stack.obstacle(Obstacle.NONE);
    workflow.wake(new Hint("retry policy changed"));

    assertThat(fixture.untilPhase("CoolingDown").failures()).isEqualTo(1);
    fixture.pass(Duration.ofMinutes(6));
    assertThat(fixture.world.operations()).hasSize(2);
  }

  @Test
  void theReportTellsThePolicyTheRunKnows() {
    StackWorkflow workflow = failedOnce(policy(Duration.ofMinutes(10), Duration.ofDays(1), 0));
    RetryPolicy other = policy(Duration.ofMinutes(10), Duration.ofHours(20), 9);

    // Neither the wait nor the conditions differ, but the watcher has to see that it is known.
    change(workflow, other);

    await().until(() -> fixture.world.lastReport().policy().equals(other.toString()));
    assertThat(fixture.world.operations()).hasSize(1);
  }

  private StackWorkflow failedOnce(RetryPolicy policy) {
    fixture.world.stack.retry(policy);
    fixture.world.script(OPERATION_FAILED, SUCCEEDED);
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("CoolingDown");
    return workflow;
  }

  private void change(StackWorkflow workflow, RetryPolicy policy) {
    fixture.world.stack.retry(policy);
    workflow.wake(new Hint("retry policy changed"));
  }

  private static RetryPolicy policy(Duration initial, Duration max, int failureLimit) {
    return new RetryPolicy(initial, max, failureLimit, 0);
  }
}
