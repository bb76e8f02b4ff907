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
