package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.Activities;
import dev.reprise.activities.context.ActivityContext;
import dev.reprise.watcher.WorkflowStarter;
import dev.reprise.workflows.activity.FinalizerActivity;
import dev.reprise.workflows.activity.ObserveActivity;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.ReportActivity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.Policy;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.WaitingFor;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackWorkflow;
import dev.reprise.workflows.workflow.WorkflowIds;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stacks that want nothing cost a worker nearly nothing, also more of them than it remembers. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class SleepingStacksTest {
  /** More than the 600 runs the SDK keeps in memory. */
  private static final int STACKS = 700;

  /** Started together. */
  private static final int WAVE = 10;

  private static final int MIB = 1024 * 1024;

  @TempDir Path folder;
  private Sandbox sandbox = new Sandbox(Path.of(""));

  @BeforeEach
  void open() {
    sandbox = new Sandbox(folder);
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void moreSleepingStacksThanAWorkerRemembersCostItLittleMemoryAndFewThreads() throws Exception {
    Files.createDirectories(folder.resolve("none"));
    RepriseProcess dev =
        sandbox.start("dev", "--without", "worker", "--without", "watcher", "none");
    Path state = folder.resolve(DevInstance.DEFAULT_STATE);
    await().atMost(RepriseProcess.LONG).until(() -> DevInstance.running(state).isPresent());
    StillWorld world = new StillWorld();
    List<Object> activities = List.of(world);
    try (Cluster cluster = Cluster.of(sandbox);
        StackWorker worker =
            new StackWorker(
                cluster.temporal().client(),
                "still",
                new Activities(activities, activities, activities),
                true,
                new ActivityContext())) {
      worker.start();
      WorkflowStarter starter =
          new WorkflowStarter(cluster.temporal().client(), "still", RepriseProcess.LONG);
      starter.wake(stack(0), "the first one");
      await().atMost(RepriseProcess.LONG).until(() -> world.asleep.size() == 1);
      long heap = usedHeap();
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();

      for (int i = 1; i < STACKS; i++) {
        starter.wake(stack(i), "a new one");
        int started = i + 1;
        if (i % WAVE == 0) {
          await().atMost(RepriseProcess.LONG).until(() -> world.asleep.size() == started);
        }
      }
      await()
          .atMost(RepriseProcess.LONG)
          .failFast(() -> assertThat(dev.running()).as(dev.output()).isTrue())
          .until(() -> world.asleep.size() == STACKS);

      assertThat((usedHeap() - heap) / MIB).as("MiB of heap for all of them").isLessThan(150);
      assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threads)
          .as("more threads than for one of them")
          .isLessThan(100);
      // The first ones are no longer remembered, which must not matter.
      cluster
          .temporal()
          .client()
          .newWorkflowStub(StackWorkflow.class, WorkflowIds.of(stack(0)))
          .retryNow(new RetryRequest(false, "wake up"));
      await()
          .atMost(RepriseProcess.LONG)
          .until(() -> world.retried.get() == 1 && world.asleep.contains(stack(0)));
    }
  }

  private static StackRef stack(int number) {
    return new StackRef("still", "stack-" + number, "uid-" + number);
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Every Stack is new and its first up succeeds at once. */
  private static final class StillWorld
      implements ObserveActivity,
          FinalizerActivity,
          WorkspaceActivity,
          OperationActivity,
          ReportActivity {
    final Set<StackRef> asleep = ConcurrentHashMap.newKeySet();
    private final Map<StackRef, Long> shown = new ConcurrentHashMap<>();
    private final Set<StackRef> ran = ConcurrentHashMap.newKeySet();

    /** How many operations were a Stack's second. */
    final AtomicInteger retried = new AtomicInteger();

    @Override
    public Observation observe(StackRef stack) {
      return new Observation(
          Observation.Presence.PRESENT,
          "",
          1,
          false,
          true,
          true,
          true,
          false,
          OperationKind.UP,
          "",
          "",
          "",
          Policy.DEFAULT,
          "r1",
          "",
          Obstacle.NONE,
          WaitingFor.NOTHING,
          shown.getOrDefault(stack, 0L),
          StackState.EMPTY,
          List.of());
    }

    @Override
    public MarkOutput mark(MarkInput input) {
      return new MarkOutput(true);
    }

    @Override
    public ReleaseOutput release(StackRef stack) {
      return new ReleaseOutput(true);
    }

    @Override
    public WorkspaceOutput ensureWorkspace(WorkspaceInput input) {
      return WorkspaceOutput.READY;
    }

    @Override
    public OperationOutput runOperation(OperationInput input) {
      if (!ran.add(input.stack())) {
        retried.incrementAndGet();
      }
      return new OperationOutput(Outcome.SUCCEEDED, "", true, "");
    }

    @Override
    public ReportOutput report(ReportInput input) {
      shown.put(input.stack(), input.state().sequence());
      boolean ready =
          input.conditions().stream()
              .anyMatch(condition -> condition.type().equals("Ready") && condition.status());
      if (ready) {
        asleep.add(input.stack());
      } else {
        asleep.remove(input.stack());
      }
      return new ReportOutput(true);
    }
  }
}
