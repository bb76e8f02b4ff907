package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.Activities;
import dev.reprise.activities.report.ReportStatus;
import dev.reprise.dev.kube.EmbeddedKubernetes;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.crd.Crds;
import dev.reprise.stack.source.GitCredentials;
import dev.reprise.stack.source.GitRevision;
import dev.reprise.stack.source.LocalRevision;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.watcher.SourceRevisions;
import dev.reprise.watcher.Watcher;
import dev.reprise.watcher.WatcherConfig;
import dev.reprise.watcher.WorkflowStarter;
import dev.reprise.workflows.activity.ReportActivity.Looked;
import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.Cooldown;
import dev.reprise.workflows.decision.LastUpdate;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.PendingRetry;
import dev.reprise.workflows.decision.RetryPolicy;
import dev.reprise.workflows.decision.StackState;
import dev.reprise.workflows.decision.Underway;
import dev.reprise.workflows.workflow.StackWorkflowImpl;
import dev.reprise.workflows.workflow.TaskQueues;
import dev.reprise.workflows.workflow.WorkflowIds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Temporal's database is lost under a thousand Stacks, half of them cooling down. Time is skipped:
 * the watcher and the activities have a clock that only the test moves, and the Temporal service is
 * made to skip as much. Its own time goes on beside that while a machine is slow, never behind.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class LostDatabaseTest {
  private static final Logger log = LoggerFactory.getLogger(LostDatabaseTest.class);
  private static final int STACKS = 1_000;

  /**
   * Counts whose next cooldowns, 4 h 16 m and longer, are longer than what is looked at closely.
   */
  private static final int FEWEST_FAILURES = 8;

  private static final int COUNTS = 5;
  private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

  /** Far beyond the real time that the first half of the test may take. */
  private static final Duration FIRST_DUE = Duration.ofHours(2);

  private static final Duration DUE_WITHIN = Duration.ofMinutes(8);
  private static final Duration MISSED_AFTER = Duration.ofMinutes(10);
  private static final Duration BOUND = Duration.ofMinutes(11);
  private static final Duration STEP = Duration.ofSeconds(30);

  /** Some seconds. */
  private static final int LOOKS_BEFORE_NUDGE = 50;

  private static final Duration LONG = Duration.ofMinutes(5);

  /**
   * Few at a time, each with time: hundreds of tasks at once on a machine that is busy besides are
   * taken for deadlocks and tried again.
   */
  private static final WorkerOptions CALM =
      WorkerOptions.newBuilder()
          .setMaxConcurrentWorkflowTaskExecutionSize(8)
          .setMaxConcurrentLocalActivityExecutionSize(8)
          .setMaxConcurrentActivityExecutionSize(8)
          .setDefaultDeadlockDetectionTimeout(TimeUnit.MINUTES.toMillis(1))
          .build();

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;
  private final FakeOperations operations = new FakeOperations(clock, Outcome.OPERATION_FAILED);
  private final EmbeddedKubernetes cluster = EmbeddedKubernetes.start();
  private final KubernetesClient kubernetes = cluster.client();
  private final List<StackRef> stacks = new ArrayList<>();
  private final Map<String, Integer> failures = new TreeMap<>();
  private final Map<String, Instant> due = new TreeMap<>();

  @TempDir Path folder;

  @BeforeEach
  void createStacks() {
    kubernetes.resource(Crds.stack()).create();
    ReportStatus report = new ReportStatus(kubernetes, "test", clock);
    for (int i = 0; i < STACKS; i++) {
      StackRef stack = create("s" + i);
      stacks.add(stack);
      boolean cooling = i % 2 == 1;
      if (cooling) {
        failures.put(stack.name(), FEWEST_FAILURES + i / 2 % COUNTS);
        due.put(
            stack.name(), START.plus(FIRST_DUE).plus(DUE_WITHIN.multipliedBy(i).dividedBy(STACKS)));
      }
      report.report(status(stack, cooling ? coolingDown(stack) : inSync()));
    }
  }

  @AfterEach
  void close() {
    kubernetes.close();
    cluster.close();
  }

  @Test
  void costsNoOperationAndEveryCooldownEndsWithinElevenMinutesOfItsTimeWithItsCount() {
    long began = System.nanoTime();
    try (Service lost = new Service()) {
      lost.wake(stacks);
      await().atMost(LONG).pollInterval(Duration.ofSeconds(1)).until(() -> written(2, stacks));
    }
    assertThat(operations.started()).isEmpty();

    pass(FIRST_DUE.minus(STEP));
    try (Service empty = new Service();
        Watcher watcher = empty.watcher()) {
      watcher.start();
      Instant end = START.plus(FIRST_DUE).plus(DUE_WITHIN).plus(BOUND);
      while (now.get().isBefore(end)) {
        empty.skip(STEP);
        empty.awaitMissed();
      }
      assertThat(ran().keySet()).isEqualTo(due.keySet());
      assertThat(operations.started()).as("one operation for each").hasSize(due.size());
      due.forEach(
          (name, time) -> assertThat(ran().get(name)).as(name).isBetween(time, time.plus(BOUND)));
      await().atMost(LONG).pollInterval(Duration.ofSeconds(1)).until(() -> counted());

      // Those in sync look once a day; the watcher's clock is enough to miss them.
      pass(Duration.ofDays(1));
      List<StackRef> inSync =
          stacks.stream().filter(stack -> !due.containsKey(stack.name())).toList();
      await().atMost(LONG).pollInterval(Duration.ofSeconds(1)).until(() -> written(3, inSync));
      assertThat(ran().keySet()).as("those in sync run nothing").isEqualTo(due.keySet());
    }
    Duration latest =
        due.keySet().stream()
            .map(name -> Duration.between(due.get(name), ran().get(name)))
            .max(Duration::compareTo)
            .orElseThrow();
    log.info(
        "{} Stacks, {} cooling down: {} of them ran at most {} after their time, 0 others; {} s",
        STACKS,
        due.size(),
        ran().size(),
        latest,
        Duration.ofNanos(System.nanoTime() - began).toSeconds());
  }

  /** Those whose run must have been missed by now. */
  private Set<String> missed() {
    Instant limit = now.get().minus(MISSED_AFTER);
    return due.entrySet().stream()
        .filter(entry -> entry.getValue().isBefore(limit))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** When the first operation of each Stack ran. */
  private Map<String, Instant> ran() {
    return operations.started().stream()
        .collect(
            Collectors.toMap(
                made -> made.input().stack().name(),
                FakeOperations.Operation::time,
                (first, later) -> first,
                TreeMap::new));
  }

  private boolean written(long sequence, List<StackRef> wanted) {
    Map<String, RetryStatus> records = records();
    return wanted.stream()
        .allMatch(
            stack -> records.getOrDefault(stack.name(), RetryStatus.NONE).sequence() >= sequence);
  }

  /** Whether the failure of each Stack that ran came on top of those before. */
  private boolean counted() {
    Map<String, RetryStatus> records = records();
    return failures.entrySet().stream()
        .allMatch(
            entry -> {
              RetryStatus record = records.getOrDefault(entry.getKey(), RetryStatus.NONE);
              long expected = entry.getValue() + 1L;
              return record.failures() == expected && record.attempt() == expected;
            });
  }

  private Map<String, RetryStatus> records() {
    return kubernetes
        .genericKubernetesResources(StackList.TYPE)
        .inNamespace("default")
        .list()
        .getItems()
        .stream()
        .collect(
            Collectors.toMap(
                stack -> stack.getMetadata().getName(),
                stack -> StackReader.status(stack).retry()));
  }

  private void pass(Duration time) {
    now.set(now.get().plus(time));
  }

  private StackRef create(String name) {
    GenericKubernetesResource stack = new GenericKubernetesResource();
    stack.setApiVersion("pulumi.com/v1");
    stack.setKind("Stack");
    stack.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .withFinalizers(List.of(StackIdentity.FINALIZER))
            .withAnnotations(Map.of(StackIdentity.UP_STARTED, "true"))
            .build());
    stack.setAdditionalProperty("spec", Map.of("stack", "dev"));
    return new StackRef(
        "default", name, kubernetes.resource(stack).create().getMetadata().getUid());
  }

  private StackState coolingDown(StackRef stack) {
    int count = failures.getOrDefault(stack.name(), 0);
    Instant end =
        due.getOrDefault(stack.name(), START).minus(Cooldown.after(count, RetryPolicy.DEFAULT));
    return state(count, Outcome.OPERATION_FAILED, "boom", end);
  }

  private static StackState inSync() {
    return state(0, Outcome.SUCCEEDED, "", START.minus(Duration.ofHours(1)));
  }

  private static StackState state(int count, Outcome outcome, String message, Instant end) {
    Underway made = new Underway(OperationKind.UP, 1, false, "", "", "", "earlier");
    return new StackState(
        count,
        Math.max(1, count),
        0,
        count,
        true,
        made.ended(outcome, message, end),
        LastUpdate.NONE,
        "",
        PendingRetry.NONE,
        Underway.NONE,
        1);
  }

  private static ReportInput status(StackRef stack, StackState state) {
    return new ReportInput(
        stack,
        new Looked(1, ""),
        1,
        "",
        List.of(new Condition("Ready", state.failures() == 0, "AsBefore", "as before")),
        state,
        "",
        "",
        Instant.EPOCH,
        START.plus(Duration.ofHours(20)),
        List.of());
  }

  /** A Temporal service without any history, and a worker. */
  private final class Service implements AutoCloseable {
    private final TestWorkflowEnvironment environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setInitialTime(now.get())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder().setUsingVirtualWorkflowThreads(true).build())
                .build());

    Service() {
      TaskQueues queues = TaskQueues.of("test");
      Activities activities = operations.with(kubernetes, folder);
      var worker = environment.newWorker(queues.stacks(), CALM);
      worker.registerWorkflowImplementationTypes(StackWorkflowImpl.class);
      worker.registerActivitiesImplementations(activities.stacks().toArray());
      environment
          .newWorker(queues.workspaces(), CALM)
          .registerActivitiesImplementations(activities.workspaces().toArray());
      environment
          .newWorker(queues.operations(), CALM)
          .registerActivitiesImplementations(activities.operations().toArray());
      environment.start();
    }

    void wake(List<StackRef> all) {
      WorkflowStarter starter =
          new WorkflowStarter(environment.getWorkflowClient(), "test", Duration.ofMinutes(1));
      all.forEach(stack -> starter.wake(stack, "first"));
    }

    Watcher watcher() {
      return new Watcher(
          WatcherConfig.of("test").withResyncInterval(Duration.ofSeconds(1)),
          kubernetes,
          environment.getWorkflowClient(),
          new SourceRevisions(
              new GitRevision(Duration.ofSeconds(1), true),
              new LocalRevision(clock),
              (namespace, source) -> new GitCredentials.None(),
              Duration.ofSeconds(1)),
          clock);
    }

    /** Waits until all have run whose lost run must have been missed. */
    void awaitMissed() {
      AtomicInteger looks = new AtomicInteger();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                List<StackRef> waiting = waiting();
                if (looks.incrementAndGet() % LOOKS_BEFORE_NUDGE == 0) {
                  waiting.forEach(this::nudge);
                }
                assertThat(waiting).as(() -> history(waiting.getFirst())).isEmpty();
              });
    }

    private List<StackRef> waiting() {
      Set<String> names = missed();
      names.removeAll(ran().keySet());
      return stacks.stream().filter(stack -> names.contains(stack.name())).toList();
    }

    /**
     * The test server refuses a task that cancels a timer in the moment it fires, and then forgets
     * the run until something else arrives. A run that is not there yet is not started by this.
     */
    private void nudge(StackRef stack) {
      try {
        environment
            .getWorkflowClient()
            .newUntypedWorkflowStub(WorkflowIds.of(stack))
            .signal("wake");
      } catch (WorkflowNotFoundException notYet) {
        log.debug("{} has no run yet", stack);
      }
    }

    private String history(StackRef stack) {
      try {
        return environment.getWorkflowClient().fetchHistory(WorkflowIds.of(stack)).toJson(true);
      } catch (StatusRuntimeException e) {
        return stack + " has no run: " + e.getStatus();
      }
    }

    void skip(Duration time) {
      pass(time);
      environment.sleep(time);
    }

    @Override
    public void close() {
      environment.close();
    }
  }
}
