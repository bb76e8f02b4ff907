package dev.reprise.cli;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.TemporalFailure;
import java.util.function.Consumer;
import java.util.function.Function;

/** What a person says to the open run of a Stack, and its answers. */
final class OpenRun {
  private final StackWorkflow workflow;
  private final StackRef stack;

  OpenRun(WorkflowClient client, StackRef stack) {
    this.workflow = client.newWorkflowStub(StackWorkflow.class, WorkflowIds.of(stack));
    this.stack = stack;
  }

  /**
   * Asks by an update, which a worker has to answer.
   *
   * @throws UserProblem when the run refuses, or there is none
   */
  String ask(Function<StackWorkflow, String> update) {
    try {
      return update.apply(workflow);
    } catch (WorkflowUpdateException e) {
      throw new UserProblem("refused: " + words(e), e);
    } catch (WorkflowException e) {
      throw unheard(e);
    }
  }

  /**
   * Tells by a signal, which is kept until a worker takes it.
   *
   * @throws UserProblem when there is no run
   */
  void tell(Consumer<StackWorkflow> signal) {
    try {
      signal.accept(workflow);
    } catch (WorkflowException e) {
      throw unheard(e);
    }
  }

  /** The run's own words, without what the library wraps around them. */
  private static String words(WorkflowUpdateException refused) {
    return refused.getCause() instanceof TemporalFailure failure
        ? failure.getOriginalMessage()
        : Causes.innermost(refused);
  }

  private UserProblem unheard(WorkflowException e) {
    return e instanceof WorkflowNotFoundException
        ? new UserProblem(
            "%s has no open run in Temporal yet; is a watcher running?".formatted(stack), e)
        : new UserProblem(
            "Temporal does not take it (%s); check the TEMPORAL_* settings"
                .formatted(Causes.innermost(e)),
            e);
  }
}
