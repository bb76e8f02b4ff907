package dev.reprise.workflows.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.testing.ObservedStack;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules in their order: each row differs from "in sync" or "cooling down" in one thing. */
class StackDeciderTest {
  private static final Instant END = Instant.parse("2026-12-01T00:00:00Z");
  private static final Spread SPREAD = new Spread(Spread.PLACES / 2);
  private static final StackState DONE = state(0, last(Outcome.SUCCEEDED));
  private static final StackState FAILED_TWICE = state(2, last(Outcome.OPERATION_FAILED));
  private static final Instant SOON = END.plusSeconds(10);

  private final ObservedStack stack = new ObservedStack();

  @Test
  void aStackNeverRunBeforeRunsAtOnce() {
    assertThat(decide(StackState.EMPTY, SOON))
        .isEqualTo(new Decision.Run(OperationKind.UP, Cause.FIRST, true));
  }

  @Test
  void aSucceededStackThatNothingChangedIsInSyncUntilTheIdleLook() {
    assertThat(decide(DONE, SOON)).isEqualTo(new Decision.InSync(SPREAD.idle(SOON)));
  }

  @Test
  void aFailedStackThatNothingChangedCoolsDownFromTheEndOfTheAttempt() {
    assertThat(decide(FAILED_TWICE, SOON))
        .isEqualTo(new Decision.CoolingDown(END.plus(Duration.ofMinutes(2))));
  }

  @Test
  void theCooldownIsOverExactlyAtItsEndAndTheCountGoesOn() {
    Instant over = END.plus(Duration.ofMinutes(2));

    assertThat(decide(FAILED_TWICE, over.minusMillis(1))).isInstanceOf(Decision.CoolingDown.class);
    assertThat(decide(FAILED_TWICE, over))
        .isEqualTo(new Decision.Run(OperationKind.UP, Cause.COOLDOWN_OVER, false));
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("generation", Cause.GENERATION, stack -> stack.generation(6)),
        change("a lower generation", Cause.GENERATION, stack -> stack.generation(4)),
        change("force token", Cause.RECONCILE_REQUEST, stack -> stack.token("now")),
        change("revision", Cause.REVISION, stack -> stack.revision("r2")),
        change("inputs", Cause.INPUTS, stack -> stack.inputs("v1:k:b")),
        change("kind", Cause.KIND, stack -> stack.kind(OperationKind.PREVIEW)));
  }

  private static Arguments change(String name, Cause cause, Consumer<ObservedStack> edit) {
    return Arguments.of(name, cause, edit);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void everyChangeRunsAtOnceAndCountsAnew(String name, Cause cause, Consumer<ObservedStack> edit) {
    ObservedStack edited = new ObservedStack().generation(5).retry(limited());
    edit.accept(edited);

    for (Outcome outcome : List.of(Outcome.SUCCEEDED, Outcome.OPERATION_FAILED)) {
      for (int failures : List.of(0, 1, 2)) {
        StackState state = state(failures, last(outcome, 5));
        assertThat(StackDecider.decide(edited.observation(), state, SOON, SPREAD))
            .as(name)
            .isEqualTo(new Decision.Run(edited.observation().kind(), cause, true));
      }
    }
  }

  @Test
  void digestsThatCannotBeComparedAreNoChange() {
    for (String foreign : List.of("", "v1:other:b", "v2:k:b")) {
      stack.inputs(foreign);
      assertThat(decide(DONE, SOON)).isInstanceOf(Decision.InSync.class);
    }
  }

  @Test
  void aResyncIsDueItsPeriodAndTheStacksShareOfATenthOfItAfterASuccess() {
    stack.resync(Duration.ofMinutes(10));
    Instant due = END.plus(Duration.ofMinutes(10)).plusSeconds(30);

    assertThat(decide(DONE, due.minusSeconds(1))).isEqualTo(new Decision.InSync(due));
    assertThat(decide(DONE, due)).isEqualTo(new Decision.Run(OperationKind.UP, Cause.RESYNC, true));
  }

  @Test
  void aResyncPeriodDoesNotShortenACooldown() {
    stack.resync(Duration.ofMinutes(1));

    assertThat(decide(FAILED_TWICE, END.plusSeconds(90))).isInstanceOf(Decision.CoolingDown.class);
  }

  @Test
  void theFailureLimitStopsTimeButNotPeople() {
    stack.retry(limited());
    Instant later = END.plus(Duration.ofDays(10));

    assertThat(decide(FAILED_TWICE, later)).isEqualTo(new Decision.Stopped(SPREAD.idle(later)));
    assertThat(decide(FAILED_TWICE.requested(PendingRetry.of(false, "")), later))
        .isEqualTo(new Decision.Run(OperationKind.UP, Cause.RETRY_NOW, false));
  }

  @Test
  void aRetryRequestRunsInSyncAndInCooldownAndResetsOnlyWhenAsked() {
    for (StackState state : List.of(DONE, FAILED_TWICE)) {
      for (boolean reset : List.of(true, false)) {
        assertThat(decide(state.requested(PendingRetry.of(reset, "")), SOON))
            .isEqualTo(new Decision.Run(OperationKind.UP, Cause.RETRY_NOW, reset));
      }
    }
  }

  @Test
  void aPauseComesBeforeEverythingButADeletion() {
    stack.pause("audit").generation(2).obstacle(Obstacle.input("SpecInvalid", "x"));
    assertThat(decide(DONE, SOON))
        .isEqualTo(new Decision.Paused("audit", SOON.plus(Duration.ofHours(1))));

    stack.delete();
    assertThat(decide(DONE.upStarting(), SOON))
        .isEqualTo(new Decision.Run(OperationKind.DESTROY, Cause.DELETION, true));
  }

  @Test
  void aHoldPausesLikeTheAnnotation() {
    assertThat(decide(DONE.held("by me").requested(PendingRetry.of(false, "")), SOON))
        .isInstanceOf(Decision.Paused.class);
  }

  @Test
  void anObstacleBlocksEvenAFirstRun() {
    stack.obstacle(Obstacle.input("SpecInvalid", "spec.stack is missing"));
    assertThat(decide(StackState.EMPTY, SOON))
        .isEqualTo(
            new Decision.Blocked(
                Obstacle.input("SpecInvalid", "spec.stack is missing"),
                SOON.plus(Duration.ofMinutes(5))));
  }

  @Test
  void anUnreachableSourceIsAskedAgainEverMoreSlowly() {
    stack.obstacle(Obstacle.source("no route to git"));
    StackState first = DONE.seeing(stack.observation());
    StackState second = first.seeing(stack.observation());

    assertThat(((Decision.Blocked) decide(first, SOON)).until()).isEqualTo(SOON.plusSeconds(30));
    assertThat(((Decision.Blocked) decide(second, SOON)).until()).isEqualTo(SOON.plusSeconds(60));
    stack.obstacle(Obstacle.NONE);
    assertThat(second.seeing(stack.observation()).obstacleInARow()).isZero();
  }

  @Test
  void prerequisitesAreAskedOnlyWhenAnAttemptIsDue() {
    stack.waitingFor(List.of("network"));
    assertThat(decide(DONE, SOON)).isInstanceOf(Decision.InSync.class);

    stack.generation(2);
    assertThat(decide(DONE, SOON))
        .isEqualTo(
            new Decision.AwaitingPrerequisites(
                List.of("network"), List.of(), SOON.plus(Duration.ofMinutes(5))));
  }

  @Test
  void prerequisitesThatAreOutOfDateAreHandedOnToBeAsked() {
    RunRequest db = new RunRequest("db", "uid-db", "db-1", "x waits");
    stack.waitingFor(new WaitingFor(List.of("db is old"), List.of(db), ""));

    assertThat(decide(StackState.EMPTY, SOON))
        .isEqualTo(
            new Decision.AwaitingPrerequisites(
                List.of("db is old"), List.of(db), SOON.plus(Duration.ofMinutes(5))));
  }

  @Test
  void aCycleOfPrerequisitesIsInTheWayOnlyOfAnAttemptThatIsDue() {
    stack.waitingFor(new WaitingFor(List.of("a waits"), List.of(), "a -> b -> a"));
    assertThat(decide(DONE, SOON)).isInstanceOf(Decision.InSync.class);
    assertThat(decide(FAILED_TWICE, SOON)).isInstanceOf(Decision.CoolingDown.class);

    assertThat(decide(FAILED_TWICE, END.plus(Duration.ofMinutes(2))))
        .isEqualTo(
            new Decision.Blocked(
                Obstacle.input("PrerequisiteCycle", "a -> b -> a"),
                END.plus(Duration.ofMinutes(7))));
  }

  @Test
  void aDependentsReasonIsToldOnlyOfTheRunItsTokenCauses() {
    stack.token("after-web-1", "app waits for it");
    assertThat(decide(DONE, SOON))
        .isEqualTo(
            new Decision.Run(
                OperationKind.UP,
                Cause.RECONCILE_REQUEST,
                true,
                "reconciliation request: app waits for it"));

    stack.generation(2);
    assertThat(decide(DONE, SOON))
        .isEqualTo(new Decision.Run(OperationKind.UP, Cause.GENERATION, true, "new generation"));
  }

  @Test
  void prerequisitesHoldBackUpsAndPreviewsOnly() {
    stack.waitingFor(List.of("network")).generation(2);
    for (OperationKind kind : OperationKind.values()) {
      stack.kind(kind);
      switch (kind) {
        case UP, PREVIEW ->
            assertThat(decide(DONE, SOON)).isInstanceOf(Decision.AwaitingPrerequisites.class);
        case REFRESH, DESTROY -> assertThat(decide(DONE, SOON)).isInstanceOf(Decision.Run.class);
      }
    }
  }

  @Test
  void aDeletionDestroysWhateverStandsInTheWayOfAnUp() {
    stack
        .waitingFor(List.of("network"))
        .obstacle(Obstacle.source("git is gone"))
        .revision("")
        .inputs("")
        .delete();

    assertThat(decide(DONE.upStarting(), SOON))
        .isEqualTo(new Decision.Run(OperationKind.DESTROY, Cause.DELETION, true));
  }

  @Test
  void aSucceededDestroyReleasesWhateverElseDiffers() {
    stack.delete().generation(9).token("x").revision("r9");
    StackState destroyed = state(0, destroy(Outcome.SUCCEEDED, true)).upStarting();

    assertThat(decide(destroyed, SOON)).isEqualTo(new Decision.Release());
  }

  @Test
  void aDestroyThatWasNotForThisDeletionDoesNotReleaseIt() {
    stack.kind(OperationKind.DESTROY).delete();
    StackState destroyed = state(0, destroy(Outcome.SUCCEEDED, false)).upStarting();

    assertThat(decide(destroyed, SOON))
        .isEqualTo(new Decision.Run(OperationKind.DESTROY, Cause.DELETION, true));
  }

  @Test
  void aFailedDestroyCoolsDownAndGoesOnPastTheFailureLimit() {
    stack.retry(limited()).delete();
    StackState failed = state(5, destroy(Outcome.OPERATION_FAILED, true)).upStarting();
    Instant over = END.plus(Duration.ofMinutes(16));

    assertThat(decide(failed, SOON)).isEqualTo(new Decision.CoolingDown(over));
    assertThat(decide(failed, over))
        .isEqualTo(new Decision.Run(OperationKind.DESTROY, Cause.COOLDOWN_OVER, false));
  }

  @Test
  void aDeletionWithoutDestroyOrWithoutAnUpEverStartedOnlyReleases() {
    stack.delete();
    assertThat(decide(StackState.EMPTY, SOON)).isEqualTo(new Decision.Release());

    stack.upMayHaveStarted(true);
    assertThat(decide(StackState.EMPTY, SOON)).isInstanceOf(Decision.Run.class);
    stack.destroyOnDelete(false);
    assertThat(decide(StackState.EMPTY, SOON)).isEqualTo(new Decision.Release());
  }

  @Test
  void withOurFinalizerOffADeletionIsSomebodyElses() {
    stack.delete().finalizer(false);
    assertThat(decide(DONE, SOON)).isInstanceOf(Decision.Released.class);
  }

  private Decision decide(StackState state, Instant now) {
    return StackDecider.decide(stack.observation(), state, now, SPREAD);
  }

  private static RetryPolicy limited() {
    return new RetryPolicy(Duration.ofMinutes(1), Duration.ofDays(1), 2, 0);
  }

  private static LastAttempt last(Outcome outcome) {
    return last(outcome, 1);
  }

  private static LastAttempt last(Outcome outcome, long generation) {
    return new LastAttempt(
        OperationKind.UP, generation, false, "", "r1", "v1:k:a", "", outcome, "", END);
  }

  private static LastAttempt destroy(Outcome outcome, boolean deletion) {
    return new LastAttempt(
        OperationKind.DESTROY, 2, deletion, "", "r1", "v1:k:a", "", outcome, "", END);
  }

  private static StackState state(int failures, LastAttempt last) {
    return new StackState(
        failures,
        1,
        0,
        failures,
        false,
        last,
        LastUpdate.NONE,
        "",
        PendingRetry.NONE,
        Underway.NONE,
        0);
  }
}
