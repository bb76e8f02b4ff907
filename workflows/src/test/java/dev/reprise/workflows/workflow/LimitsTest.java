package dev.reprise.workflows.workflow;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static dev.reprise.workflows.decision.Outcome.SUCCEEDED;
import static dev.reprise.workflows.decision.Outcome.UPDATE_CONFLICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.testing.RunFixture;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users of such operators asked for: limits that hold, and waits that are kept. */
class LimitsTest {
  @RegisterExtension final RunFixture fixture = new RunFixture();

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5})
  void asManyAttemptsAreMadeAsTheFailureLimitAllows(int limit) {
    fixture.world.stack.retry(limited(limit));
    fixture.world.script(failures(limit + 3));
    fixture.start();

    fixture.pass(Duration.ofDays(2));

    assertThat(fixture.world.operations()).hasSize(limit);
    assertThat(fixture.untilPhase("Stalled").failures()).isEqualTo(limit);
  }

  @Test
  void aPreviewThatKeepsFailingStopsAtTheLimitAndIsCalledAPreview() {
    fixture.world.stack.kind(OperationKind.PREVIEW).retry(limited(2));
    fixture.world.script(failures(5));
    fixture.start();

    fixture.pass(Duration.ofSeconds(30));
    await().until(() -> reasons().contains("PreviewFailed"));
    fixture.pass(Duration.ofDays(1));

    assertThat(fixture.untilPhase("Stalled").message()).startsWith("preview failed 2 times");
    assertThat(fixture.world.operations()).hasSize(2);
  }

  @Test
  void afterANewRevisionTheNextFailureWaitsTheFirstWaitAgain() {
    fixture.world.script(failures(4));
    StackWorkflow workflow = fixture.start();
    fixture.pass(Duration.ofMinutes(4));
    fixture.until(view -> view.failures() == 3);

    fixture.world.stack.revision("r2");
    workflow.wake(new Hint("revision"));
    fixture.until(view -> view.failures() == 1);
    fixture.pass(Duration.ofSeconds(90));

    assertThat(fixture.world.gaps().getLast())
        .isBetween(Duration.ofMinutes(1), Duration.ofSeconds(90));
    fixture.untilPhase("InSync");
  }

  @Test
  void aStackToBeRepeatedIsTriedAgainAfterAFailureAndRepeatedAfterASuccess() {
    fixture.world.stack.resync(Duration.ofMinutes(10));
    fixture.world.script(OPERATION_FAILED);
    fixture.start();

    fixture.pass(Duration.ofMinutes(13));

    List<Duration> gaps = fixture.world.gaps();
    assertThat(gaps).hasSize(2);
    assertThat(gaps.getFirst()).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(90));
    assertThat(gaps.getLast()).isBetween(Duration.ofMinutes(10), Duration.ofSeconds(690));
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"SUCCEEDED", "SUPERSEDED"})
  void whateverGoesWrongAgainAndAgainIsNeverTriedWithoutAPause(Outcome outcome) {
    fixture.world.script(Collections.nCopies(20, outcome).toArray(Outcome[]::new));
    fixture.start();

    fixture.pass(Duration.ofMinutes(3));

    assertThat(fixture.world.gaps().stream().skip(2))
        .allSatisfy(gap -> assertThat(gap).isGreaterThanOrEqualTo(Duration.ofSeconds(15)));
    assertThat(fixture.world.operations()).hasSizeBetween(1, 15);
  }

  @Test
  void aSourceThatIsAwayForAWhileIsShownAndLeavesTheLastUpdateAlone() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    await().until(() -> reasons().contains("ProcessingCompleted"));
    ReportInput before = fixture.world.lastReport();

    fixture.world.stack.obstacle(Obstacle.source("no route to git"));
    workflow.wake(new Hint("source"));
    fixture.untilPhase("Stalled");
    await().until(() -> reasons().contains("SourceUnavailable"));
    assertThat(fixture.world.lastReport().state().lastUpdate())
        .isEqualTo(before.state().lastUpdate());

    fixture.world.stack.obstacle(Obstacle.NONE);
    fixture.pass(Duration.ofMinutes(1));
    fixture.untilPhase("InSync");
    await().until(() -> reasons().contains("ProcessingCompleted"));
    assertThat(fixture.world.lastReport().state().lastUpdate())
        .isEqualTo(before.state().lastUpdate());
    assertThat(fixture.world.operations()).hasSize(1);
  }

  @Test
  void aHeldLockIsNamedInTheConditionAndAnEventAndNotCounted() {
    fixture.world.script(OPERATION_FAILED, UPDATE_CONFLICT, UPDATE_CONFLICT, SUCCEEDED);
    fixture.start();

    fixture.pass(Duration.ofSeconds(70));
    await().until(() -> reasons().contains("UpdateConflict"));
    assertThat(fixture.until(view -> view.lastResult().equals("UPDATE_CONFLICT")).failures())
        .isEqualTo(1);
    fixture.pass(Duration.ofSeconds(40));
    fixture.untilPhase("InSync");

    assertThat(fixture.world.gaps().subList(1, 3))
        .allSatisfy(
            gap -> assertThat(gap).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(30)));
    assertThat(fixture.world.reports())
        .flatExtracting(ReportInput::events)
        .extracting(event -> event.message())
        .contains("up · attempt 2 · generation 1: boom");
  }

  @Test
  void readyOfTheOldGenerationEndsWithTheFirstWriteOfTheNewOneAlsoWhenNothingHasToBePrepared()
      throws Exception {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    fixture.world.holdOperations();

    fixture.world.stack.generation(2);
    workflow.wake(new Hint("generation"));
    fixture.world.awaitOperation();

    // Still running, and so are the conditions of the new generation, not of the old.
    await().until(() -> fixture.world.lastReport().generation() == 2);
    assertThat(reasons()).containsExactly("NotReadyInProgress", "StackProcessing");

    fixture.world.stack.generation(3);
    fixture.current().wake(new Hint("generation"));
    fixture.world.letOperationsThrough();
    await().until(() -> fixture.world.lastReport().generation() == 3);
    // What succeeded for a generation that is no longer wanted is never shown as ready.
    assertThat(fixture.world.reports().stream().filter(report -> report.generation() == 2))
        .allSatisfy(report -> assertThat(report.conditions().getFirst().status()).isFalse());
  }

  @Test
  void whatAPersonTypesStaysShort() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    workflow.hold("audit\n" + "x".repeat(100_000));
    fixture.untilPhase("Paused");

    await().until(() -> !fixture.world.lastReport().paused().isEmpty());
    assertThat(fixture.world.lastReport().state().hold())
        .startsWith("audit x")
        .hasSizeLessThanOrEqualTo(300);
  }

  private List<String> reasons() {
    return fixture.world.lastReport().conditions().stream().map(Condition::reason).toList();
  }

  private static Outcome[] failures(int count) {
    return Collections.nCopies(count, OPERATION_FAILED).toArray(Outcome[]::new);
  }

  private static RetryPolicy limited(int failures) {
    return new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), failures, 0);
  }
}
