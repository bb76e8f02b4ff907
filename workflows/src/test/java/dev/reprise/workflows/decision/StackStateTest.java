package dev.reprise.workflows.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.testing.ObservedStack;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StackStateTest {
  private static final Decision.Run RETRY =
      new Decision.Run(OperationKind.UP, Cause.COOLDOWN_OVER, false);
  private static final Decision.Run FRESH =
      new Decision.Run(OperationKind.UP, Cause.GENERATION, true);

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void eachOutcomeCountsAsItsTableRowSays(Outcome outcome) {
    StackState after = attempts(List.of(Outcome.OPERATION_FAILED, outcome));

    int expected =
        switch (outcome) {
          case SUCCEEDED -> 0;
          case WORKSPACE_FAILED,
              OPERATION_FAILED,
              INVALID_ACCESS_TOKEN,
              ENDED_WITHOUT_RESULT,
              IDLE_TIMEOUT,
              TIMEOUT ->
              2;
          case UNREACHABLE,
              ACCESS_DENIED,
              UPDATE_CONFLICT,
              PENDING_OPERATIONS,
              BUSY,
              INTERRUPTED,
              CANCELLED,
              SOURCE_UNAVAILABLE,
              INPUT_REFUSED,
              SUPERSEDED ->
              1;
        };
    assertThat(after.failures()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(OperationKind.class)
  void everyOperationCountsAlike(OperationKind kind) {
    StackState state = StackState.EMPTY;
    for (int i = 0; i < 3; i++) {
      state = attempt(state, new Decision.Run(kind, Cause.COOLDOWN_OVER, false), Outcome.TIMEOUT);
    }
    assertThat(state.failures()).isEqualTo(3);
  }

  @Test
  void interruptionsCountFromTheThirdInARowAndOthersBreakTheRow() {
    Outcome cut = Outcome.INTERRUPTED;
    assertThat(attempts(List.of(cut, cut)).failures()).isZero();
    assertThat(attempts(List.of(cut, cut, cut, cut)).failures()).isEqualTo(2);
    assertThat(attempts(List.of(cut, cut, Outcome.BUSY, cut, cut)).failures()).isZero();
  }

  @Test
  void aFreshCauseForgetsFailuresRowsAndAttempts() {
    StackState failed = attempts(List.of(Outcome.INTERRUPTED, Outcome.TIMEOUT, Outcome.TIMEOUT));
    assertThat(failed.attempt()).isEqualTo(3);

    StackState begun = failed.beginning(FRESH);

    assertThat(begun.failures()).isZero();
    assertThat(begun.attempt()).isEqualTo(1);
    assertThat(attempt(failed, FRESH, Outcome.TIMEOUT).inARow()).isEqualTo(1);
  }

  @Test
  void anAttemptObeysTheRequestAndOneThatComesMeanwhileStays() {
    StackState asked = StackState.EMPTY.requested(PendingRetry.of(false, "a"));

    assertThat(asked.beginning(RETRY).request().present()).isFalse();
    StackState askedMeanwhile = asked.beginning(RETRY).requested(PendingRetry.of(true, "b"));
    assertThat(askedMeanwhile.ended(last(Outcome.TIMEOUT), LastUpdate.NONE).request())
        .isEqualTo(PendingRetry.of(true, "b"));
  }

  @Test
  void requestsAddUp() {
    PendingRetry both = PendingRetry.of(true, "a").and(PendingRetry.of(false, "b"));

    assertThat(both).isEqualTo(PendingRetry.of(true, "b"));
    assertThat(both.and(PendingRetry.NONE)).isEqualTo(both);
    assertThat(PendingRetry.NONE.and(both)).isEqualTo(both);
    assertThat(PendingRetry.of(false, "a").and(PendingRetry.of(true, "b")).resetFailures())
        .isTrue();
    assertThat(PendingRetry.of(false, "a").and(PendingRetry.of(false, "b")).resetFailures())
        .isFalse();
    assertThat(PendingRetry.NONE.and(PendingRetry.NONE)).isEqualTo(PendingRetry.NONE);
  }

  @Test
  void aDigestThatCannotBeComparedIsAdoptedAndOneThatCanIsNot() {
    StackState state = attempts(List.of(Outcome.SUCCEEDED));
    ObservedStack stack = new ObservedStack();

    StackState adopted = state.seeing(stack.inputs("v1:k:a").observation());
    assertThat(adopted.last().inputs()).isEqualTo("v1:k:a");
    assertThat(adopted.seeing(stack.inputs("v1:k:b").observation()).last().inputs())
        .isEqualTo("v1:k:a");
    assertThat(adopted.seeing(stack.inputs("").observation()).last().inputs()).isEqualTo("v1:k:a");
    assertThat(adopted.seeing(stack.inputs("v1:l:a").observation()).last().inputs())
        .isEqualTo("v1:l:a");
    assertThat(StackState.EMPTY.seeing(stack.observation()).last()).isEqualTo(LastAttempt.NONE);
  }

  @Test
  void theSameOutcomeAfterAResetStartsANewRow() {
    StackState cut = attempts(List.of(Outcome.INTERRUPTED, Outcome.INTERRUPTED));

    assertThat(cut.inARow()).isEqualTo(2);
    assertThat(attempt(cut, FRESH, Outcome.INTERRUPTED).inARow()).isEqualTo(1);
    assertThat(attempt(cut, RETRY, Outcome.INTERRUPTED).inARow()).isEqualTo(3);
  }

  @Test
  void anUpdateExistsOnceItHasAGeneration() {
    assertThat(LastUpdate.NONE.exists()).isFalse();
    assertThat(update(1).exists()).isTrue();
  }

  @Test
  void onlyASuccessfulUpMovesTheSuccessfulRevision() {
    LastUpdate first =
        LastUpdate.NONE.followedBy(at("r1", OperationKind.UP, Outcome.SUCCEEDED), "page");
    assertThat(first.successfulRevision()).isEqualTo("r1");
    assertThat(first.permalink()).isEqualTo("page");

    LastUpdate failed = first.followedBy(at("r2", OperationKind.UP, Outcome.TIMEOUT), "");
    assertThat(failed.successfulRevision()).isEqualTo("r1");
    assertThat(failed.attemptedRevision()).isEqualTo("r2");
    assertThat(failed.succeeded()).isFalse();

    LastUpdate previewed = first.followedBy(at("r2", OperationKind.PREVIEW, Outcome.SUCCEEDED), "");
    assertThat(previewed.successfulRevision()).isEqualTo("r1");
    assertThat(previewed.succeeded()).isTrue();
  }

  @Test
  void anOperationIsLostSightOfOnlyByAnInterruptedAttemptForTheVerySame() {
    LastAttempt lost = at("r1", OperationKind.UP, Outcome.INTERRUPTED).withInputs("v1:k:a");
    Underway same = new Underway(OperationKind.UP, 1, false, "", "r1", "v1:k:a", "web-2");

    assertThat(lost.lostSightOf(same)).isTrue();
    List<Underway> others =
        List.of(
            new Underway(OperationKind.DESTROY, 1, false, "", "r1", "v1:k:a", "web-2"),
            new Underway(OperationKind.UP, 2, false, "", "r1", "v1:k:a", "web-2"),
            new Underway(OperationKind.UP, 1, true, "", "r1", "v1:k:a", "web-2"),
            new Underway(OperationKind.UP, 1, false, "token", "r1", "v1:k:a", "web-2"),
            new Underway(OperationKind.UP, 1, false, "", "r2", "v1:k:a", "web-2"),
            new Underway(OperationKind.UP, 1, false, "", "r1", "v1:k:b", "web-2"));
    assertThat(others).allSatisfy(other -> assertThat(lost.lostSightOf(other)).isFalse());
    assertThat(at("r1", OperationKind.UP, Outcome.TIMEOUT).lostSightOf(same)).isFalse();
    LastAttempt destroy =
        new LastAttempt(
            OperationKind.DESTROY,
            1,
            true,
            "",
            "r1",
            "",
            "web-1",
            Outcome.INTERRUPTED,
            "",
            Instant.EPOCH);
    assertThat(
            destroy.lostSightOf(
                new Underway(OperationKind.DESTROY, 1, true, "", "", "v1:k:b", "web-2")))
        .as("a destroy does not depend on its source")
        .isTrue();
    assertThat(last(Outcome.INTERRUPTED).lostSightOf(Underway.NONE))
        .as("no operation ran")
        .isFalse();
  }

  @Test
  void timeStopsAtTheFailureLimitUnlessTheLastAttemptOnlyHadTroubleOnItsWay() {
    RetryPolicy two = limitedTo(2);

    assertThat(attempts(List.of(Outcome.TIMEOUT)).stopped(two)).isFalse();
    assertThat(attempts(List.of(Outcome.TIMEOUT, Outcome.TIMEOUT)).stopped(two)).isTrue();
    assertThat(attempts(List.of(Outcome.TIMEOUT, Outcome.TIMEOUT)).stopped(RetryPolicy.DEFAULT))
        .isFalse();
    StackState cancelled = attempts(List.of(Outcome.TIMEOUT, Outcome.TIMEOUT, Outcome.CANCELLED));
    assertThat(cancelled.stopped(two)).isTrue();
    StackState busy = attempts(List.of(Outcome.TIMEOUT, Outcome.TIMEOUT, Outcome.BUSY));
    assertThat(busy.stopped(two)).isFalse();
  }

  @Test
  void aStateOfAWorkerThatKnewOfNoOperationUnderWayHasNone() {
    StackState old =
        new StackState(
            2, 1, 0, 3, true, LastAttempt.NONE, LastUpdate.NONE, "", PendingRetry.NONE, null, 7);

    assertThat(old.underway()).isEqualTo(Underway.NONE);
    Underway up = new Underway(OperationKind.UP, 1, false, "", "r1", "", "web-1");
    assertThat(old.operating(up).underway()).isEqualTo(up);
  }

  @Test
  void anAttemptFitsAnotherObservationThatAsksTheVerySame() {
    Observation seen = new ObservedStack().observation();

    assertThat(seen.asksTheSameAs(new ObservedStack().observation())).isTrue();
    assertThat(seen.asksTheSameAs(new ObservedStack().finalizer(false).observation())).isTrue();
    List<ObservedStack> others =
        List.of(
            new ObservedStack().presence(Observation.Presence.UNREADABLE),
            new ObservedStack().generation(2),
            new ObservedStack().delete().generation(1),
            new ObservedStack().kind(OperationKind.PREVIEW),
            new ObservedStack().token("other"),
            new ObservedStack().revision("r2"),
            new ObservedStack().inputs("v1:k:b"));
    assertThat(others)
        .allSatisfy(other -> assertThat(seen.asksTheSameAs(other.observation())).isFalse());
  }

  private static RetryPolicy limitedTo(int failures) {
    RetryPolicy some = RetryPolicy.DEFAULT;
    return new RetryPolicy(some.initialBackoff(), some.maxBackoff(), failures, some.stalledAfter());
  }

  private static LastAttempt at(String revision, OperationKind kind, Outcome outcome) {
    return new LastAttempt(
        kind, 1, false, "", revision, "", "web-1", outcome, "why", Instant.EPOCH.plusSeconds(1));
  }

  private static LastUpdate update(long generation) {
    return new LastUpdate(
        "web-1", OperationKind.UP, generation, "", true, "", "", "", "", Instant.EPOCH);
  }

  private static StackState attempts(List<Outcome> outcomes) {
    StackState state = StackState.EMPTY;
    for (Outcome outcome : outcomes) {
      state = attempt(state, RETRY, outcome);
    }
    return state;
  }

  private static StackState attempt(StackState state, Decision.Run run, Outcome outcome) {
    return state.beginning(run).ended(last(outcome), LastUpdate.NONE);
  }

  private static LastAttempt last(Outcome outcome) {
    return new LastAttempt(
        OperationKind.UP, 1, false, "", "", "", "", outcome, "why", Instant.EPOCH.plusSeconds(1));
  }
}
