package dev.reprise.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.e2e.engine.DevTemporal;
import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.product.DevProduct;
import dev.reprise.e2e.product.Product;
import dev.reprise.e2e.world.StackHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whoever has only the Web UI finds out what a Stack does, and can act. */
@Tag("engines")
@Tag("smoke")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebUiTest {
  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Longer than any test, so that what starts was asked for. */
  private static final int LONG = 3600;

  private static final Pattern EVENTS = Pattern.compile("\"events\": (\\d+)");

  private final DevTemporal temporal;
  private final Product product;
  private final WebUi ui;

  WebUiTest(@TempDir Path folder) {
    this.temporal =
        new DevTemporal(Programs.fromEnvironment(), folder.resolve("temporal"), "127.0.0.1");
    this.product = new DevProduct(folder.resolve("product"), temporal.address());
    this.ui = new WebUi(temporal.webUi());
  }

  @BeforeAll
  void chooseColumns() {
    ui.chooseColumns(List.of("Workflow ID", "StackName", "StackPhase", "StackFailures"));
  }

  @AfterAll
  void close() {
    ui.close();
    product.close();
    temporal.close();
  }

  @Test
  void theListFilteredByPhaseShowsTheStacksInItAndNoOthers() {
    product.apply("listed-well", "exit 0", LONG).stack().awaitReady();
    product.apply("listed-ill", "exit 1", LONG).stack().awaitFailures(1);

    List<String> listed = ui.listFilteredBy("CoolingDown", "default/listed-ill");
    ui.screenshot(PICTURES.resolve("list.png"));

    assertThat(listed)
        .anyMatch(id -> id.startsWith("stack/default/listed-ill/"))
        .noneMatch(id -> id.startsWith("stack/default/listed-well/"));
  }

  @Test
  void theRunTellsWhatWentWrongWhenTheNextAttemptIsAndWhatToDo() {
    product.apply("told", "echo 'error: no such region: eu-centrl-1'; exit 1", LONG);

    ui.openRun("default", "told");
    String details = ui.currentDetails("CoolingDown");
    ui.screenshot(PICTURES.resolve("details.png"));

    assertThat(details)
        .contains("no such region: eu-centrl-1", "Next attempt", "Failures in a row\t1")
        .contains("retryNow");
  }

  @Test
  void theTimelineTellsTheAttemptsAndCooldownsAsAStory() {
    product.apply("storied", "echo 'quota exceeded' >&2; exit 1", 1).stack().awaitFailures(2);

    ui.openRun("default", "storied");
    List<String> summaries = ui.timelineSummaries("after 2 failures");
    ui.screenshot(PICTURES.resolve("timeline.png"));

    assertThat(summaries)
        .anyMatch(text -> text.contains("up · attempt 1 · generation 1"))
        .anyMatch(text -> text.contains("up · attempt 2 · generation 1"))
        .anyMatch(text -> text.contains("cooldown 1s after 1 failure: up failed"))
        .anyMatch(text -> text.contains("quota exceeded"));
  }

  @Test
  void aRunningOperationShowsItsProgressWhileItRuns() {
    Product.Applied slow = product.apply("slow", "while :; do echo copying; sleep 0.2; done", LONG);
    awaitBegun(slow, 1);

    ui.openRun("default", "slow");
    long first = events(ui.pendingActivityProgress(shown -> events(shown) > 0));
    long later = events(ui.pendingActivityProgress(shown -> events(shown) > first));
    ui.screenshot(PICTURES.resolve("progress.png"));

    assertThat(later).isGreaterThan(first);
    assertThat(slow.journal().ended("up")).isZero();
  }

  private static long events(String progress) {
    Matcher events = EVENTS.matcher(progress);
    return events.find() ? Long.parseLong(events.group(1)) : 0;
  }

  @Test
  void retryNowSentByTheDialogStartsExactlyOneAttempt() {
    Product.Applied failing = product.apply("retried", "exit 1", LONG);
    failing.stack().awaitFailures(1);

    ui.openRun("default", "retried");
    ui.sendSignal("retryNow", "{\"resetFailures\": false, \"reason\": \"quota raised\"}");
    failing.stack().awaitFailures(2);
    ui.currentDetails("failed 2 times");
    ui.screenshot(PICTURES.resolve("retried.png"));

    assertThat(failing.journal().begun("up")).isEqualTo(2);
    assertThat(failing.journal().doubled()).isEmpty();
  }

  @Test
  void retryNowWithoutInputWorksToo() {
    Product.Applied failing = product.apply("retried-plainly", "exit 1", LONG);
    failing.stack().awaitFailures(1);

    ui.openRun("default", "retried-plainly");
    ui.sendSignal("retryNow", "");
    failing.stack().awaitFailures(2);

    assertThat(failing.journal().begun("up")).isEqualTo(2);
  }

  @Test
  void cancellingARunInACooldownIsSurvivedWithTheCountKept() {
    Product.Applied failing = product.apply("cancelled-waiting", "exit 1", LONG);
    failing.stack().awaitFailures(1);

    String first = ui.openRun("default", "cancelled-waiting");
    ui.requestCancellation();
    ui.screenshot(PICTURES.resolve("cancelled.png"));
    String successor = successorOf(first, "cancelled-waiting");
    ui.currentDetails("CoolingDown");
    ui.screenshot(PICTURES.resolve("successor.png"));

    assertThat(successor).isNotEqualTo(first);
    assertThat(failing.stack().failures()).isEqualTo(1);
    assertThat(failing.journal().begun("up")).isEqualTo(1);

    ui.sendSignal("retryNow", "");
    failing.stack().awaitFailures(2);
    assertThat(failing.journal().begun("up")).isEqualTo(2);
    assertThat(failing.journal().doubled()).isEmpty();
  }

  @Test
  void cancellingARunInMidOperationEndsTheProgramGracefullyAndDoublesNothing() {
    Product.Applied slow = product.apply("cancelled-running", "sleep 1000", LONG);
    awaitBegun(slow, 1);
    StackHandle stack = slow.stack();

    String first = ui.openRun("default", "cancelled-running");
    ui.requestCancellation();
    successorOf(first, "cancelled-running");
    ui.currentDetails("CoolingDown");

    assertThat(slow.journal().ended("up")).isEqualTo(1);
    assertThat(stack.failures()).isZero();

    ui.sendSignal("retryNow", "");
    awaitBegun(slow, 2);
    assertThat(slow.journal().doubled()).isEmpty();
    assertThat(slow.journal().overlapping(Set.of())).isEmpty();
  }

  private String successorOf(String run, String name) {
    return await("the successor of the cancelled run")
        .atMost(LIMIT)
        .pollInSameThread()
        .until(() -> ui.openRun("default", name), open -> !open.equals(run));
  }

  private static void awaitBegun(Product.Applied applied, long times) {
    await("the program to begin for the " + times + ". time")
        .atMost(LIMIT)
        .until(() -> applied.journal().begun("up") == times);
  }
}
