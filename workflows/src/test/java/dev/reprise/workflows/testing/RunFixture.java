package dev.reprise.workflows.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.RunSearchAttributes;
import dev.reprise.workflows.workflow.StackRun;
import dev.reprise.workflows.workflow.StackView;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.StackWorkflowImpl;
import dev.reprise.workflows.workflow.TaskQueues;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.grpc.ClientInterceptor;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Temporal service with time skipping, a worker, and one Stack in a {@link FakeWorld}. With the
 * system property {@value #FORGETFUL} the worker remembers no run between two tasks. Registered as
 * an extension it closes itself, and can record the test's runs, see {@link Histories}.
 */
public final class RunFixture implements AfterEachCallback, AutoCloseable {
  public static final StackRef STACK = new StackRef("team", "web", "uid-1");
  private static final String CLUSTER = "test";
  private static final String FORGETFUL = "reprise.test.forgetful";

  /** How often it is looked whether time stands still, and how many looks prove it. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final int LOOKS_AT_REST = 20;
  private static final int MOST_LOOKS = 600;

  private final MendedServer server = new MendedServer();
  private final Optional<Forgetful> forgetful;
  public final TestWorkflowEnvironment environment;
  public final FakeWorld world;

  public RunFixture() {
    this(Boolean.getBoolean(FORGETFUL), FakeWorld::new);
  }

  /**
   * One with a world of its own.
   *
   * @param forgets whether the worker remembers no run between two tasks
   * @param making makes the world, given the service's clock in milliseconds
   */
  public RunFixture(boolean forgets, Function<LongSupplier, FakeWorld> making) {
    forgetful = forgets ? Optional.of(new Forgetful()) : Optional.empty();
    environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
                .setWorkflowServiceStubsOptions(
                    WorkflowServiceStubsOptions.newBuilder()
                        .setGrpcClientInterceptors(
                            Stream.<ClientInterceptor>concat(Stream.of(server), forgetful.stream())
                                .toList())
                        .build())
                .build());
    world = making.apply(environment::currentTimeMillis);
    for (SearchAttributeKey<?> key : RunSearchAttributes.ALL) {
      environment.registerSearchAttribute(key.getName(), key.getValueType());
    }
    TaskQueues queues = TaskQueues.of(CLUSTER);
    WorkerOptions quickCancel =
        WorkerOptions.newBuilder()
            .setMaxHeartbeatThrottleInterval(Duration.ofMillis(100))
            .setDefaultHeartbeatThrottleInterval(Duration.ofMillis(100))
            .build();
    var stacks = environment.newWorker(queues.stacks());
    stacks.registerWorkflowImplementationTypes(StackWorkflowImpl.class);
    stacks.registerActivitiesImplementations(world);
    environment
        .newWorker(queues.workspaces(), quickCancel)
        .registerActivitiesImplementations(world);
    environment
        .newWorker(queues.operations(), quickCancel)
        .registerActivitiesImplementations(world);
    environment.start();
  }

  /** Starts the Stack's first run as the watcher does. */
  public StackWorkflow start() {
    return start(StackRun.first(STACK, CLUSTER));
  }

  public StackWorkflow start(int trimAfterEvents) {
    return start(new StackRun(STACK, CLUSTER, 0, null, List.of(), trimAfterEvents));
  }

  private StackWorkflow start(StackRun run) {
    StackWorkflow workflow =
        environment
            .getWorkflowClient()
            .newWorkflowStub(
                StackWorkflow.class,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(WorkflowIds.of(STACK))
                    .setTaskQueue(TaskQueues.of(CLUSTER).stacks())
                    .build());
    WorkflowClient.start(workflow::run, run);
    return current();
  }

  /** The open run, whichever it is. */
  public StackWorkflow current() {
    return environment
        .getWorkflowClient()
        .newWorkflowStub(StackWorkflow.class, WorkflowIds.of(STACK));
  }

  public WorkflowStub untyped() {
    return environment.getWorkflowClient().newUntypedWorkflowStub(WorkflowIds.of(STACK));
  }

  /**
   * Lets skipped time pass. The lock on time of a task that no worker had taken when its run was
   * terminated is never given back by the service: it is here, once time stands still though no
   * worker has anything to do.
   */
  public void pass(Duration time) {
    Thread passing = Thread.startVirtualThread(() -> environment.sleep(time));
    try {
      for (int idle = 0, looks = 0; !passing.join(LOOK); looks++) {
        idle = server.underWay() == 0 ? idle + 1 : 0;
        if (idle == LOOKS_AT_REST) {
          idle = 0;
          MendedServer.unlock(environment.getWorkflowServiceStubs().getRawChannel());
        }
        if (looks == MOST_LOOKS) {
          throw new AssertionError("time stands still\n" + environment.getDiagnostics());
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError("stopped while time passed", stopped);
    }
  }

  /** Waits, in real time, until the run says so; no skipped time passes. */
  public StackView until(Predicate<StackView> reached) {
    try {
      return await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> current().status(), reached);
    } catch (ConditionTimeoutException late) {
      throw new AssertionError(environment.getDiagnostics(), late);
    }
  }

  public StackView untilPhase(String phase) {
    return until(view -> view.phase().equals(phase));
  }

  /** Waits, in real time, until the last run has closed so. */
  public void untilClosed(WorkflowExecutionStatus status) {
    try {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> describe().getWorkflowExecutionInfo().getStatus() == status);
    } catch (ConditionTimeoutException late) {
      throw new AssertionError(environment.getDiagnostics(), late);
    }
  }

  /** What the service tells of the open or last run. */
  public DescribeWorkflowExecutionResponse describe() {
    return environment
        .getWorkflowClient()
        .getWorkflowServiceStubs()
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(environment.getNamespace())
                .setExecution(
                    WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.of(STACK)).build())
                .build());
  }

  /** What the Web UI shows beside the timers of the open or last run. */
  public List<String> timerSummaries() {
    WorkflowExecutionHistory history =
        environment.getWorkflowClient().fetchHistory(WorkflowIds.of(STACK));
    return history.getEvents().stream()
        .filter(HistoryEvent::hasTimerStartedEventAttributes)
        .map(event -> event.getUserMetadata().getSummary())
        .map(
            summary ->
                environment
                    .getWorkflowClient()
                    .getOptions()
                    .getDataConverter()
                    .fromPayload(summary, String.class, String.class))
        .toList();
  }

  /** Replays every run so often. */
  public void replay(int times) {
    for (WorkflowExecutionHistory run : runs()) {
      for (int i = 0; i < times; i++) {
        replay(run);
      }
    }
  }

  @Override
  public void afterEach(ExtensionContext test) {
    close(
        test.getRequiredTestClass().getSimpleName() + "." + test.getRequiredTestMethod().getName());
  }

  @Override
  public void close() {
    close("");
  }

  /** Every run of a test is replayed: what it did must follow from its history alone. */
  private void close(String name) {
    try {
      List<WorkflowExecutionHistory> runs = runs();
      runs.forEach(RunFixture::replay);
      if (!name.isEmpty()) {
        Histories.record(name, runs);
      }
      forgetful.ifPresent(
          worker -> assertThat(worker.forgotten()).as("tasks forgotten").isPositive());
    } finally {
      environment.close();
    }
  }

  /** The histories of all runs, the last one first. */
  public List<WorkflowExecutionHistory> runs() {
    List<WorkflowExecutionHistory> runs = new ArrayList<>();
    String runId = describe().getWorkflowExecutionInfo().getExecution().getRunId();
    while (!runId.isEmpty()) {
      WorkflowExecutionHistory history =
          environment.getWorkflowClient().fetchHistory(WorkflowIds.of(STACK), runId);
      runs.add(history);
      runId =
          history
              .getEvents()
              .getFirst()
              .getWorkflowExecutionStartedEventAttributes()
              .getContinuedExecutionRunId();
    }
    return runs;
  }

  private static void replay(WorkflowExecutionHistory history) {
    try {
      WorkflowReplayer.replayWorkflowExecution(untilLost(history), StackWorkflowImpl.class);
    } catch (Exception differs) {
      throw new AssertionError("does not replay:\n" + history.toJson(true), differs);
    }
  }

  /** The end of a run that was terminated is not its own doing, and the SDK cannot replay it. */
  private static WorkflowExecutionHistory untilLost(WorkflowExecutionHistory history) {
    History.Builder own = history.getHistory().toBuilder();
    int last = own.getEventsCount() - 1;
    if (own.getEvents(last).hasWorkflowExecutionTerminatedEventAttributes()) {
      own.removeEvents(last);
    }
    return new WorkflowExecutionHistory(
        own.build(), history.getWorkflowExecution().getWorkflowId());
  }
}
