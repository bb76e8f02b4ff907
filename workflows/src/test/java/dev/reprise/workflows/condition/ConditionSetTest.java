package dev.reprise.workflows.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.decision.Cause;
import dev.reprise.workflows.decision.Decision;
import dev.reprise.workflows.decision.LastAttempt;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConditionSetTest {
  private static final Instant NOW = Instant.parse("2026-12-01T00:00:00Z");

  @ParameterizedTest
  @EnumSource(Phase.class)
  void atMostOneConditionIsTrueAndItIsReadyOnlyWhenDone(Phase phase) {
    List<Condition> conditions = ConditionSet.of(Situation.of(phase, "Why", "because"));

    List<String> yes = conditions.stream().filter(Condition::status).map(Condition::type).toList();
    switch (phase.story()) {
      case UNCHANGED -> assertThat(conditions).isEmpty();
      case DONE -> assertThat(yes).containsExactly("Ready");
      case IN_PROGRESS -> assertThat(yes).containsExactly("Reconciling");
      case STALLED -> assertThat(yes).containsExactly("Stalled");
    }
    assertThat(conditions)
        .noneMatch(condition -> !condition.type().equals("Ready") && !condition.status());
  }

  @Test
  void aFailedUpIsShownAsRetryingAfterFailureWithCountReasonTimeAndTheWayToRetryNow() {
    Situation situation = cooling(OperationKind.UP, Outcome.OPERATION_FAILED, 3);

    assertThat(situation.reason()).isEqualTo("RetryingAfterFailure");
    assertThat(ConditionSet.of(situation).getLast().message())
        .isEqualTo(
            "up failed 3 times: quota; attempt 4 at 2026-12-01T00:00:00Z; to retry now: reprise"
                + " retry, the signal retryNow, or annotation pulumi.com/reconciliation-request");
  }

  @Test
  void aFailedPreviewHasItsOwnReason() {
    assertThat(cooling(OperationKind.PREVIEW, Outcome.OPERATION_FAILED, 1).reason())
        .isEqualTo("PreviewFailed");
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"PENDING_OPERATIONS", "ACCESS_DENIED", "INPUT_REFUSED", "SOURCE_UNAVAILABLE"})
  void whatOnlyAPersonCanMendIsStalled(Outcome outcome) {
    assertThat(cooling(OperationKind.UP, outcome, 0).phase()).isEqualTo(Phase.STALLED);
  }

  @Test
  void aDestroyAtTheFailureLimitShowsStalledAndItsNextAttempt() {
    RetryPolicy limited = new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 3, 0);
    Situation situation =
        Situations.waiting(
            new Decision.CoolingDown(NOW),
            state(3, OperationKind.DESTROY, Outcome.OPERATION_FAILED),
            limited);

    assertThat(situation.phase()).isEqualTo(Phase.STALLED);
    assertThat(situation.attemptPlanned()).isTrue();
  }

  @Test
  void anObstacleIsStalledWithItsOwnWords() {
    Obstacle obstacle = Obstacle.input("SpecInvalid", "spec.stack is missing");
    Situation situation =
        Situations.waiting(
            new Decision.Blocked(obstacle, NOW), StackState.EMPTY, RetryPolicy.DEFAULT);

    assertThat(ConditionSet.of(situation))
        .contains(new Condition("Stalled", true, "SpecInvalid", "spec.stack is missing"));
  }

  @Test
  void anAttemptNamesItsNumberAndCause() {
    Decision.Run run = new Decision.Run(OperationKind.UP, Cause.REVISION, true);

    assertThat(Situations.running(run, StackState.EMPTY.beginning(run)).message())
        .isEqualTo("stack is being processed: up, attempt 1 (new revision)");
  }

  @Test
  void stalledBeginsExactlyAtEachLimit() {
    RetryPolicy stalls = new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 0, 3);
    RetryPolicy stops = new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 3, 0);
    for (RetryPolicy policy : List.of(stalls, stops)) {
      assertThat(coolingWith(policy, 2).phase()).isEqualTo(Phase.COOLING_DOWN);
      assertThat(coolingWith(policy, 3).phase()).isEqualTo(Phase.STALLED);
    }
  }

  private static Situation coolingWith(RetryPolicy policy, int failures) {
    return Situations.waiting(
        new Decision.CoolingDown(NOW),
        state(failures, OperationKind.UP, Outcome.OPERATION_FAILED),
        policy);
  }

  @Test
  void whatIsNotAFailureIsNotCalledOne() {
    assertThat(cooling(OperationKind.UP, Outcome.CANCELLED, 0).message())
        .startsWith("up was cancelled: quota");
    Situation unreachable = cooling(OperationKind.UP, Outcome.UNREACHABLE, 0);
    assertThat(unreachable.message()).startsWith("up could not be completed: quota");
    assertThat(unreachable.reason()).isEqualTo("AgentUnreachable");
    assertThat(cooling(OperationKind.UP, Outcome.UPDATE_CONFLICT, 1).message())
        .startsWith("up could not be completed: quota; failed once before; attempt 2 at ");
  }

  @Test
  void aStoppedStackSaysHowOftenItFailedAndThatTimeStartsNothing() {
    Situation stopped =
        Situations.waiting(
            new Decision.Stopped(NOW),
            state(2, OperationKind.UP, Outcome.TIMEOUT),
            RetryPolicy.DEFAULT);

    assertThat(stopped.reason()).isEqualTo("OperationTimeout");
    assertThat(stopped.message())
        .startsWith("up failed 2 times; not retrying until the spec or source changes: quota");
    assertThat(stopped.attemptPlanned()).isFalse();
  }

  @Test
  void inSyncSaysWhetherItWasOnlyPreviewed() {
    assertThat(inSync(OperationKind.UP).message())
        .isEqualTo("the stack has been processed and is up to date");
    assertThat(inSync(OperationKind.PREVIEW).message()).isEqualTo("the stack has been previewed");
    assertThat(inSync(OperationKind.UP).attemptPlanned()).isFalse();
  }

  private static Situation inSync(OperationKind kind) {
    return Situations.waiting(
        new Decision.InSync(NOW), state(0, kind, Outcome.SUCCEEDED), RetryPolicy.DEFAULT);
  }

  @Test
  void everyUnsatisfiedPrerequisiteIsNamed() {
    Situation waiting =
        Situations.waiting(
            new Decision.AwaitingPrerequisites(List.of("network", "dns"), List.of(), NOW),
            StackState.EMPTY,
            RetryPolicy.DEFAULT);

    assertThat(waiting.reason()).isEqualTo("PrerequisiteNotSatisfied");
    assertThat(waiting.message()).isEqualTo("network; dns");
  }

  @Test
  void phasesAreCamelCaseWords() {
    assertThat(Phase.values())
        .allSatisfy(
            phase -> assertThat(phase.word()).isEqualToIgnoringCase(phase.name().replace("_", "")));
  }

  @Test
  void aStackPausedBeforeItEverShowedAnythingIsNotTakenForReady() {
    assertThat(ConditionSet.beforeAnything("by a person"))
        .containsExactly(
            new Condition("Ready", false, "NotReadyInProgress", "reconciliation is in progress"),
            new Condition("Reconciling", true, "Paused", "by a person"));
    assertThat(ConditionSet.beforeAnything("").getLast().message())
        .isEqualTo("waiting for its next run");
  }

  @Test
  void aMessageKeepsItsBeginningAndEndWithinFourThousandCharacters() {
    String fits = "b" + "m".repeat(3_998) + "e";
    assertThat(message(fits)).isEqualTo(fits);

    assertThat(message("b" + "m".repeat(3_999) + "e"))
        .hasSize(4_000)
        .isEqualTo("b" + "m".repeat(1_996) + " … " + "m".repeat(1_999) + "e");
  }

  @Test
  void aMessageIsNeverCutWithinACharacter() {
    String rocket = "\uD83D\uDE80";

    assertThat(message("m".repeat(1_996) + rocket + "m".repeat(3_000)))
        .isEqualTo("m".repeat(1_996) + " … " + "m".repeat(2_000));
    assertThat(message("m".repeat(3_000) + rocket + "m".repeat(1_999)))
        .isEqualTo("m".repeat(1_997) + " … " + "m".repeat(1_999));
  }

  private static String message(String text) {
    return Situation.of(Phase.STALLED, "Why", text).message();
  }

  private static Situation cooling(OperationKind kind, Outcome outcome, int failures) {
    return Situations.waiting(
        new Decision.CoolingDown(NOW), state(failures, kind, outcome), RetryPolicy.DEFAULT);
  }

  private static StackState state(int failures, OperationKind kind, Outcome outcome) {
    LastAttempt last =
        new LastAttempt(kind, 1, false, "", "", "", "", outcome, message(kind, outcome), NOW);
    return new StackState(
        failures,
        1,
        0,
        failures,
        true,
        last,
        LastUpdate.NONE,
        "",
        PendingRetry.NONE,
        Underway.NONE,
        0);
  }

  /** As the agent and the workflow word it. */
  private static String message(OperationKind kind, Outcome outcome) {
    return outcome == Outcome.CANCELLED ? "cancelled: quota" : kind.word() + " failed: quota";
  }
}
