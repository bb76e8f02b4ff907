package dev.reprise.workflows.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndEventsTest {
  private static final StackEvent SUCCESS =
      new StackEvent(false, "StackCreated", "refresh succeeded");

  @Test
  void aSuccessWhoseOutputsCouldNotBeKeptIsASuccessWithAWarningBeside() {
    assertThat(events(Outcome.SUCCEEDED, "")).containsExactly(SUCCESS);
    assertThat(events(Outcome.SUCCEEDED, "its outputs could not be kept"))
        .containsExactly(
            SUCCESS,
            new StackEvent(true, "StackOutputRetrievalFailure", "its outputs could not be kept"));
  }

  @Test
  void aFailureIsOneWarningThatNamesTheAttempt() {
    assertThat(events(Outcome.OPERATION_FAILED, "quota"))
        .containsExactly(new StackEvent(true, "StackUpdateFailure", "attempt 2: quota"));
  }

  @Test
  void aDestroyIsNotToldAsACreation() {
    assertThat(
            EndEvents.of(
                OperationKind.DESTROY,
                "attempt 1",
                new OperationOutput(Outcome.SUCCEEDED, "", true, "")))
        .containsExactly(new StackEvent(false, "StackDestroyed", "destroy succeeded"));
  }

  private static List<StackEvent> events(Outcome outcome, String message) {
    return EndEvents.of(
        OperationKind.REFRESH, "attempt 2", new OperationOutput(outcome, message, true, ""));
  }
}
