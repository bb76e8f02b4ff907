package dev.reprise.cli;

import dev.reprise.activities.Activities;
import dev.reprise.activities.context.ActivityContext;
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

  /**
   * The SDK fails a workflow task whose code holds its thread for longer, 1 s unless told. Ours
   * only assigns and decides; what takes a second on a starved machine is no deadlock.
   */
  private static final Duration DEADLOCK = Duration.ofSeconds(10);

  private final WorkerFactory factory;

  /**
   * Makes a worker that is not started.
   *
   * @param sticky whether a run's next task is offered to the worker that had its last one. The
   *     embedded Temporal service, unlike a real one, never offers it to another again: with it,
   *     only a worker of the same process may be sticky.
   * @param context around every call of an activity
   */
  StackWorker(
      WorkflowClient client,
      String cluster,
      Activities activities,
      boolean sticky,
      ActivityContext context) {
    factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .setWorkerInterceptors(context)
                .build());
    TaskQueues queues = TaskQueues.of(cluster);
    Worker stacks =
        factory.newWorker(queues.stacks(), sticky ? options().build() : notSticky().build());
    stacks.registerWorkflowImplementationTypes(StackWorkflowImpl.class);
    stacks.registerActivitiesImplementations(activities.stacks().toArray());
    factory
        .newWorker(queues.workspaces(), options().build())
        .registerActivitiesImplementations(activities.workspaces().toArray());
    factory
        .newWorker(queues.operations(), options().build())
        .registerActivitiesImplementations(activities.operations().toArray());
  }

  private static WorkerOptions.Builder notSticky() {
    return options().setStickyQueueScheduleToStartTimeout(Duration.ZERO);
  }

  private static WorkerOptions.Builder options() {
    return WorkerOptions.newBuilder()
        .setUsingVirtualThreads(true)
        .setDefaultDeadlockDetectionTimeout(DEADLOCK.toMillis())
        .setMaxHeartbeatThrottleInterval(HEARTBEAT_THROTTLE)
        .setDefaultHeartbeatThrottleInterval(HEARTBEAT_THROTTLE);
  }

  void start() {
    factory.start();
  }

  /** Whether it asks for tasks. */
  boolean polling() {
    return factory.isStarted() && !factory.isShutdown();
  }

  /** Whether it has stopped, by itself or because it was closed. */
  boolean ended() {
    return factory.isShutdown();
  }

  /**
   * Asks for no more work until {@link #resume}. What was taken is finished, and what was asked for
   * before, within a minute at most, may still come.
   */
  void suspend() {
    if (factory.isStarted()) {
      factory.suspendPolling();
    }
  }

  /** Takes work, for the first time or again. */
  void resume() {
    if (factory.isStarted()) {
      factory.resumePolling();
    } else {
      factory.start();
    }
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
