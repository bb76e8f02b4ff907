package dev.reprise.cli;

import dev.reprise.activities.Activities;
import dev.reprise.workflows.workflow.StackWorkflowImpl;
import dev.reprise.workflows.workflow.TaskQueues;
import io.temporal.client.WorkflowClient;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The worker process: workflow code and activities on the three task queues of a cluster. */
final class StackWorker implements AutoCloseable {
  /** A cancel reaches an activity only in the answer to a heartbeat that is really sent. */
  private static final Duration HEARTBEAT_THROTTLE = Duration.ofSeconds(5);

  /** Activities that follow an operation detach at once; short ones end well within this. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private final WorkerFactory factory;

  StackWorker(WorkflowClient client, String cluster, Activities activities) {
    factory =
        WorkerFactory.newInstance(
            client, WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build());
    TaskQueues queues = TaskQueues.of(cluster);
    Worker stacks = factory.newWorker(queues.stacks(), options());
    stacks.registerWorkflowImplementationTypes(StackWorkflowImpl.class);
    stacks.registerActivitiesImplementations(activities.stacks().toArray());
    factory
        .newWorker(queues.workspaces(), options())
        .registerActivitiesImplementations(activities.workspaces().toArray());
    factory
        .newWorker(queues.operations(), options())
        .registerActivitiesImplementations(activities.operations().toArray());
  }

  private static WorkerOptions options() {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setMaxHeartbeatThrottleInterval(HEARTBEAT_THROTTLE)
        .setDefaultHeartbeatThrottleInterval(HEARTBEAT_THROTTLE)
        .build();
  }

  void start() {
    factory.start();
  }

  /** Stops taking work, lets short activities end, detaches from operations. */
  @Override
  public void close() {
    factory.shutdown();
    factory.awaitTermination(DRAIN.toSeconds(), TimeUnit.SECONDS);
    factory.shutdownNow();
    factory.awaitTermination(DRAIN.toSeconds(), TimeUnit.SECONDS);
  }
}
