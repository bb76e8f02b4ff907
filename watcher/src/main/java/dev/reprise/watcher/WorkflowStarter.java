package dev.reprise.watcher;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.Hint;
import dev.reprise.workflows.workflow.StackRun;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.TaskQueues;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowOptions;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/**
 * Signal-with-start: one call that wakes the open run of a Stack or starts one. It never replaces a
 * run, so a running operation is safe from it.
 */
public final class WorkflowStarter implements RunStarter {
  /** For a person who opens the run in the Web UI and has never heard of Reprise. */
  private static final String DETAILS =
      "Keeps this Stack true for one of its generations, and stays open as long as the Stack"
          + " exists. *Current Details* says where it stands and when the next attempt is. Send"
          + " it signals; do not terminate or reset it.";

  private final WorkflowClient client;
  private final String cluster;
  private final Duration limit;

  /**
   * Makes a starter.
   *
   * @param limit for a call with the client library's own retries
   */
  public WorkflowStarter(WorkflowClient client, String cluster, Duration limit) {
    this.client = client;
    this.cluster = cluster;
    this.limit = limit;
  }

  @Override
  public Delivery deliver(Desire desire) throws InterruptedException {
    FutureTask<Void> call = new FutureTask<>(() -> wake(desire.stack(), desire.reason()), null);
    Thread.ofVirtual().name("signal-with-start").start(call);
    try {
      call.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return new Delivery.Delivered();
    } catch (TimeoutException e) {
      return new Delivery.Unreachable("no answer within " + limit.toSeconds() + " s");
    } catch (ExecutionException e) {
      return failed(e.getCause() == null ? e : e.getCause());
    } finally {
      call.cancel(true);
    }
  }

  /**
   * Wakes the run of a Stack, or starts it. May block as long as the client library retries.
   *
   * @param reason a few words for the history
   * @throws WorkflowException when the service refuses or cannot be reached
   */
  public void wake(StackRef stack, String reason) {
    start(stack, (request, run) -> request.add(run::wake, new Hint(reason)));
  }

  /**
   * Holds the run of a Stack, or starts one that is held from its first moment on.
   *
   * @param reason why, for people
   * @throws WorkflowException when the service refuses or cannot be reached
   */
  public void hold(StackRef stack, String reason) {
    start(stack, (request, run) -> request.add(run::hold, reason));
  }

  private void start(StackRef stack, BiConsumer<BatchRequest, StackWorkflow> signal) {
    try {
      signalWithStart(stack, signal);
    } catch (WorkflowExecutionAlreadyStarted e) {
      // Another watcher started the run in the same moment, so now there is one to signal.
      signalWithStart(stack, signal);
    }
  }

  private void signalWithStart(StackRef stack, BiConsumer<BatchRequest, StackWorkflow> signal) {
    StackWorkflow workflow =
        client.newWorkflowStub(
            StackWorkflow.class,
            WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.of(stack))
                .setTaskQueue(TaskQueues.of(cluster).stacks())
                .setStaticSummary(stack.toString())
                .setStaticDetails(DETAILS)
                .build());
    BatchRequest request = client.newSignalWithStartRequest();
    request.add(workflow::run, StackRun.first(stack, cluster));
    signal.accept(request, workflow);
    client.signalWithStart(request);
  }

  /** What the service says of the request itself, or what failed before it was sent, is refused. */
  static Delivery failed(Throwable failure) {
    if (!(failure instanceof WorkflowException)) {
      return new Delivery.Refused(failure.toString());
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String why = String.valueOf(cause.getMessage());
    // The message begins with the gRPC status; its class would bring gRPC into this module.
    return why.startsWith("INVALID_ARGUMENT")
        ? new Delivery.Refused(why)
        : new Delivery.Unreachable(why);
  }
}
