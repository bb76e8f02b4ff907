package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.workflow.Hint;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackRun;
import dev.reprise.workflows.workflow.StackView;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.TaskQueues;
import io.grpc.Status;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowServiceException;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkflowStarterTest {
  private static final StackRef STACK = new StackRef("default", "a", "uid-a");
  private static final Desire DESIRE = new Desire(STACK, Desire.Topic.OBJECT, "generation 4", "4");

  private TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance();

  @BeforeEach
  void startWorker() {
    temporal
        .newWorker(TaskQueues.of("here").stacks())
        .registerWorkflowImplementationTypes(WaitsForThreeHints.class);
    temporal.start();
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void twoWatchersWakeOneRunOfTheStack() throws Exception {
    RunStarter one = starter(temporal.getWorkflowClient());
    RunStarter two = starter(temporal.getWorkflowClient());
    assertThat(one.deliver(DESIRE)).isEqualTo(new RunStarter.Delivery.Delivered());
    assertThat(two.deliver(DESIRE)).isEqualTo(new RunStarter.Delivery.Delivered());
    assertThat(one.deliver(DESIRE)).isEqualTo(new RunStarter.Delivery.Delivered());
    // The run ends with its third hint, so all three reached the one that the first call started.
    String result =
        temporal
            .getWorkflowClient()
            .newUntypedWorkflowStub("stack/default/a/uid-a")
            .getResult(String.class);
    assertThat(result).isNull();
  }

  @Test
  void watchersThatStartTheSameRunInTheSameMomentAllReachIt() throws Exception {
    List<Callable<RunStarter.Delivery>> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Desire desire =
          new Desire(
              new StackRef("default", "s" + i / 4, "u" + i / 4), Desire.Topic.OBJECT, "why", "w");
      RunStarter starter = starter(temporal.getWorkflowClient());
      calls.add(() -> starter.deliver(desire));
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<RunStarter.Delivery> call : threads.invokeAll(calls, 30, TimeUnit.SECONDS)) {
        assertThat(call.get()).isEqualTo(new RunStarter.Delivery.Delivered());
      }
    }
  }

  @Test
  void aServiceThatIsAwayIsUnreachableWithinTheLimit() throws Exception {
    WorkflowServiceStubs nowhere =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:1").build());
    try {
      RunStarter starter =
          new WorkflowStarter(WorkflowClient.newInstance(nowhere), "here", Duration.ofMillis(500));
      assertThat(starter.deliver(DESIRE)).isInstanceOf(RunStarter.Delivery.Unreachable.class);
    } finally {
      nowhere.shutdownNow();
    }
  }

  @Test
  void onlyWhatIsWrongWithTheCallItselfIsRefused() {
    assertThat(failed(Status.INVALID_ARGUMENT.withDescription("WorkflowId length exceeds limit")))
        .isEqualTo(
            new RunStarter.Delivery.Refused("INVALID_ARGUMENT: WorkflowId length exceeds limit"));
    assertThat(WorkflowStarter.failed(new IllegalArgumentException("cannot be encoded")))
        .isInstanceOf(RunStarter.Delivery.Refused.class);
    for (Status.Code code :
        List.of(
            Status.Code.UNAVAILABLE,
            Status.Code.DEADLINE_EXCEEDED,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.NOT_FOUND,
            Status.Code.PERMISSION_DENIED,
            Status.Code.INTERNAL)) {
      assertThat(failed(code.toStatus())).isInstanceOf(RunStarter.Delivery.Unreachable.class);
    }
  }

  private static RunStarter.Delivery failed(Status status) {
    return WorkflowStarter.failed(
        new WorkflowServiceException(
            WorkflowExecution.getDefaultInstance(), "Stack", status.asRuntimeException()));
  }

  private static RunStarter starter(WorkflowClient client) {
    return new WorkflowStarter(client, "here", Duration.ofSeconds(30));
  }

  /** Stands in for the real workflow: what reached it is what counts here. */
  public static final class WaitsForThreeHints implements StackWorkflow {
    private final List<String> hints = new ArrayList<>();

    @Override
    public void run(StackRun run) {
      Workflow.await(() -> hints.size() == 3);
      if (!run.stack().equals(STACK)
          || !hints.equals(List.of("generation 4", "generation 4", "generation 4"))) {
        throw new IllegalStateException(run + " " + hints);
      }
    }

    @Override
    public void wake(@Nullable Hint hint) {
      hints.add(hint == null ? "" : hint.reason());
    }

    @Override
    public void retryNow(@Nullable RetryRequest request) {}

    @Override
    public String retry(@Nullable RetryRequest request) {
      return "";
    }

    @Override
    public void validateRetry(@Nullable RetryRequest request) {}

    @Override
    public void hold(@Nullable String reason) {}

    @Override
    public void resume() {}

    @Override
    public void cancelOperation(@Nullable String reason) {}

    @Override
    public String cancel(@Nullable String reason) {
      return "";
    }

    @Override
    public void validateCancel(@Nullable String reason) {}

    @Override
    public StackView status() {
      return new StackView("", 0, "", 0, 0, "", "", "");
    }
  }
}
