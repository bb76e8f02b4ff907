package dev.reprise.activities.operation;

import dev.reprise.activities.kube.InputsReader;
import dev.reprise.activities.kube.StackLookups;
import dev.reprise.activities.kube.StackObjects;
import dev.reprise.activities.workspace.Workspaces;
import dev.reprise.stack.StackReader;
import dev.reprise.workflows.activity.OperationActivity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;

/**
 * Runs one operation. Only the first attempt sends unasked: a later one asks the agent for the
 * operation's id first, because the call may have been sent before the earlier attempt was lost.
 */
public final class RunOperation implements OperationActivity {
  private final Parts parts;

  /**
   * What an attempt works with.
   *
   * @param stacks reads the Stack just before sending
   * @param reader checks its spec
   * @param secrets the values to be masked in texts
   * @param workspaces knows where the agent is
   * @param results keeps the result
   * @param timing its limits
   */
  record Parts(
      StackLookups stacks,
      StackReader reader,
      SecretValues secrets,
      Workspaces workspaces,
      Results results,
      Timing timing) {}

  RunOperation(Parts parts) {
    this.parts = parts;
  }

  /** Operations in these workspaces, with results kept by this client. */
  public static RunOperation of(
      KubernetesClient client, StackReader reader, Workspaces workspaces) {
    return new RunOperation(
        new Parts(
            new StackObjects(client),
            reader,
            SecretValues.by(new InputsReader(client)),
            workspaces,
            new KubernetesResults(client),
            Timing.DEFAULT));
  }

  @Override
  public OperationOutput runOperation(OperationInput input) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    boolean mayHaveSent =
        input.attachOnly()
            || context.getInfo().getAttempt() > 1
            || context
                .getHeartbeatDetails(Progress.class)
                .filter(seen -> seen.operationId().equals(input.operationId()))
                .isPresent();
    try {
      return new OperationAttempt(parts, input, mayHaveSent, context::heartbeat).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApplicationFailure.newFailure("this worker is ending; another one follows", "Detached");
    }
  }
}
