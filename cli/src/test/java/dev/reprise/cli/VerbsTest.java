package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.stack.StackIdentity;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person can tell a Stack's run, and what is answered. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class VerbsTest {
  private static final Duration LONG = Duration.ofMinutes(3);

  private final FakeOperations operations =
      new FakeOperations(InstantSource.system(), Outcome.SUCCEEDED);

  @TempDir Path folder;
  private Workbench bench;
  private StackWorker worker;

  @BeforeEach
  void open() throws Exception {
    bench = new Workbench(folder);
    worker = bench.worker(operations);
  }

  @AfterEach
  void close() {
    operations.hold(false);
    worker.close();
    bench.close();
  }

  @Test
  void aHeldStackRunsNothingUntilItIsResumed() {
    StackRef stack = ready();

    assertThat(bench.run("pause", "web", "--reason", "audit").output())
        .isEqualTo("default/web: held (audit); to go on: reprise resume web");

    await().atMost(LONG).until(() -> bench.status(stack).retry().pause().equals("audit"));
    assertThat(bench.run("retry", "web"))
        .isEqualTo(
            new Workbench.Ended(
                ExitCode.FAILED, "reprise: refused: the Stack is held (audit); resume it first"));
    assertThat(bench.run("resume", "web").output()).isEqualTo("default/web: resumed");
    await().atMost(LONG).until(() -> !bench.status(stack).retry().paused());
    assertThat(operations.started()).hasSize(1);
  }

  @Test
  void resumeTellsThatTheAnnotationStillHoldsAndTakesItOffOnlyWhenAsked() {
    StackRef stack = ready();
    bench.annotate(stack, StackIdentity.PAUSED, "db upgrade");
    await().atMost(LONG).until(() -> bench.status(stack).retry().pause().equals("db upgrade"));

    assertThat(bench.run("resume", "web").output())
        .isEqualTo(
            "default/web: the hold has ended, but annotation reprise.dev/paused still pauses it"
                + " (db upgrade); to take that off too: reprise resume web --annotation");
    assertThat(bench.run("resume", "web", "--annotation").output())
        .isEqualTo("default/web: resumed; the annotation is off");

    await().atMost(LONG).until(() -> !bench.status(stack).retry().paused());
  }

  @Test
  void cancelEndsTheRunningOperationAndIsRefusedWhereNoneRuns() {
    operations.hold(true);
    StackRef stack = bench.stack("web");
    await().atMost(LONG).until(() -> operations.started().size() == 1);

    assertThat(bench.run("cancel", "web", "--reason", "wrong region"))
        .isEqualTo(
            new Workbench.Ended(ExitCode.DONE, "default/web: up, attempt 1, is being cancelled"));

    await()
        .atMost(LONG)
        .until(() -> bench.status(stack).retry().last().reason().equals("Cancelled"));
    assertThat(bench.status(stack).retry().failures()).isZero();
    assertThat(bench.status(stack).retry().last().message()).contains("wrong region");
    assertThat(bench.run("cancel", "web"))
        .isEqualTo(
            new Workbench.Ended(
                ExitCode.FAILED,
                "reprise: refused: no operation runs (CoolingDown); there is nothing to cancel"));
  }

  @Test
  void whoNamesNoStackThatExistsIsTold() {
    assertThat(bench.run("hold", "nobody"))
        .isEqualTo(
            new Workbench.Ended(
                ExitCode.FAILED,
                "reprise: there is no Stack nobody in namespace default; see: reprise get"));
  }

  private StackRef ready() {
    StackRef stack = bench.stack("web");
    await().atMost(LONG).until(() -> bench.status(stack).lastUpdate().state().equals("succeeded"));
    return stack;
  }
}
