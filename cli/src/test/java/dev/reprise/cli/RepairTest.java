package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.stack.status.RetryStatus;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.TaskQueues;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code reprise repair} and a run that was really wedged by code that does not fit its history.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RepairTest {
  private static final Duration LONG = Duration.ofMinutes(3);

  private final FakeOperations operations =
      new FakeOperations(InstantSource.system(), Outcome.OPERATION_FAILED);

  @TempDir Path folder;
  private Workbench bench;

  @BeforeEach
  void open() throws Exception {
    bench = new Workbench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void theNewRunGoesOnWithTheCountAndTheWait() throws Exception {
    StackRef stack = failedOnce();
    RetryStatus before = bench.status(stack).retry();
    wedge(stack);

    assertThat(bench.run("repair", "web"))
        .satisfies(ended -> assertThat(ended.code()).isEqualTo(ExitCode.FAILED))
        .satisfies(
            ended ->
                assertThat(ended.output())
                    .contains("cannot go on: its workflow task fails: ")
                    .contains("attempt 1, failures 1, next attempt " + before.nextAttemptTime())
                    .endsWith("reprise: nobody is here to be asked; to do this, say --yes"));
    Workbench.Ended repaired = bench.run("repair", "web", "--yes");

    assertThat(repaired.code()).as(repaired.output()).isZero();
    assertThat(repaired.output()).endsWith("default/web: repaired; a new run has started");
    try (StackWorker good = bench.worker(operations)) {
      await()
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(run(stack).status().nextAttempt())
                      .startsWith(before.nextAttemptTime().toString().replace("Z", "")));
      assertThat(run(stack).status().failures()).isEqualTo(1);
      assertThat(operations.started()).hasSize(1);
    }
  }

  @Test
  void whatTheWedgedRunDidNotHearIsToldToTheNewOneTheHoldFirst() throws Exception {
    StackRef stack = failedOnce();
    run(stack).retryNow(new RetryRequest(true, "fixed the quota"));
    run(stack).hold("audit");
    wedge(stack);

    Workbench.Ended repaired = bench.run("repair", "web", "-y");

    assertThat(repaired.output())
        .endsWith("a new run has started and was told 2 signals the old one had not heard");
    try (StackWorker good = bench.worker(operations)) {
      await().atMost(LONG).until(() -> bench.status(stack).retry().request().resetFailures());
      assertThat(run(stack).status().phase()).isEqualTo("Paused");
      assertThat(operations.started()).hasSize(1);

      assertThat(bench.run("resume", "web").output()).isEqualTo("default/web: resumed");

      await().atMost(LONG).until(() -> operations.started().size() == 2);
    }
  }

  @Test
  void anOperationGoesOnAndIsFollowedByTheNewRun() throws Exception {
    operations.hold(true);
    StackRef stack = bench.stack("web");
    StackWorker first = bench.worker(operations);
    await()
        .atMost(LONG)
        .until(() -> !bench.status(stack).retry().running().equals(RetryStatus.Attempt.NONE));
    String update = bench.status(stack).retry().running().update();
    first.close();
    wedge(stack);

    Workbench.Ended repaired = bench.run("repair", "web", "--yes");

    assertThat(repaired.output())
        .contains(
            "up %s goes on in its agent; the new run follows it to its end".formatted(update));
    operations.hold(false);
    operations.endAs(Outcome.SUCCEEDED);
    try (StackWorker good = bench.worker(operations)) {
      await()
          .atMost(LONG)
          .until(() -> bench.status(stack).lastUpdate().state().equals("succeeded"));
    }
    assertThat(bench.status(stack).lastUpdate().name()).isEqualTo(update);
    assertThat(operations.followed())
        .extracting(operation -> operation.input().update())
        .containsExactly(update);
    assertThat(operations.started()).hasSize(1);
  }

  @Test
  void aHealthyRunIsLeftAloneUnlessForced() throws Exception {
    StackRef stack = failedOnce();
    try (StackWorker worker = bench.worker(operations)) {
      Workbench.Ended refused = bench.run("repair", "web", "--yes");

      assertThat(refused.code()).isEqualTo(ExitCode.FAILED);
      assertThat(refused.output())
          .isEqualTo(
              "reprise: default/web has a healthy run, there is nothing to repair; to end a wait:"
                  + " reprise retry web; to replace the run all the same: --force");
      assertThat(bench.run("repair", "web", "--yes", "--force").output()).contains("is healthy");
      await().atMost(LONG).until(() -> run(stack).status().failures() == 1);
      assertThat(operations.started()).hasSize(1);
    }
  }

  @Test
  void aStackWithoutAnOpenRunGetsOne() throws Exception {
    StackRef stack = failedOnce();
    bench.client().newUntypedWorkflowStub(WorkflowIds.of(stack)).terminate("by hand");

    assertThat(bench.run("repair", "web").output())
        .isEqualTo("default/web: no run was open; one has started from the status");

    try (StackWorker worker = bench.worker(operations)) {
      await().atMost(LONG).until(() -> run(stack).status().failures() == 1);
    }
    assertThat(operations.started()).hasSize(1);
  }

  private StackRef failedOnce() {
    StackRef stack = bench.stack("web");
    try (StackWorker worker = bench.worker(operations)) {
      await().atMost(LONG).until(() -> bench.status(stack).retry().failures() == 1);
    }
    return stack;
  }

  /** Lets a worker with other code take the run's next task. */
  private void wedge(StackRef stack) {
    bench.starter().wake(stack, "after the deploy");
    WorkerFactory factory = WorkerFactory.newInstance(bench.client());
    factory
        .newWorker(
            TaskQueues.of("test").stacks(),
            WorkerOptions.newBuilder().setStickyQueueScheduleToStartTimeout(Duration.ZERO).build())
        .registerWorkflowImplementationTypes(MisfitWorkflow.class);
    factory.start();
    Replacement replacement = new Replacement(bench.client(), "test", stack);
    await().atMost(LONG).until(() -> replacement.examine().orElseThrow().failing());
    factory.shutdownNow();
    factory.awaitTermination(30, TimeUnit.SECONDS);
  }

  private StackWorkflow run(StackRef stack) {
    return bench.client().newWorkflowStub(StackWorkflow.class, WorkflowIds.of(stack));
  }
}
