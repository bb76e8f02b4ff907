package dev.reprise.workflows.endurance;

import static dev.reprise.workflows.decision.Outcome.OPERATION_FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import dev.reprise.workflows.workflow.Hint;
import io.temporal.common.WorkflowExecutionHistory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Stack that only ever fails: after years each attempt still costs the same and comes in time.
 */
class YearsOfFailuresTest {
  private static final Logger LOG = LoggerFactory.getLogger(YearsOfFailuresTest.class);
  private static final int FAILURES = 5_000;

  /** The rule is the same, so fewer do; the bounds on histories need more than ten runs. */
  private static final int FAILED_DESTROYS = 1_000;

  /** Timers are rounded up to seconds, and an attempt takes moments. */
  private static final Duration SLACK = Duration.ofSeconds(30);

  /** A server warns of a history from so many events on. */
  private static final int MOST_EVENTS = 10_240;

  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void anUpThatFailsFiveThousandTimesIsRetriedInTimeAndItsRunsStaySmall() {
    world.script(failures(FAILURES));
    fixture.start();

    fixture.pass(untilTheyAreOver(FAILURES));

    assertInTimeAndSmall("up", FAILURES, 0);
  }

  @Test
  void aDestroyThatFailsAThousandTimesIsRetriedInTimeAndItsRunsStaySmall() {
    var workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.script(failures(FAILED_DESTROYS));
    world.stack.delete();
    workflow.wake(new Hint("deletion"));

    fixture.pass(untilTheyAreOver(FAILED_DESTROYS));

    assertInTimeAndSmall("destroy", FAILED_DESTROYS, 1);
    assertThat(world.operations().getLast().kind()).isEqualTo(OperationKind.DESTROY);
  }

  private static Outcome[] failures(int times) {
    return Collections.nCopies(times, OPERATION_FAILED).toArray(Outcome[]::new);
  }

  /** The first eleven cooldowns take a day and a half together, every later one takes a day. */
  private static Duration untilTheyAreOver(int failures) {
    return Duration.ofDays(failures);
  }

  /**
   * All failed operations came in time, were counted, and fit into histories of a bearable size.
   *
   * @param before operations that ran before the first failure
   */
  private void assertInTimeAndSmall(String what, int failures, int before) {
    List<Duration> gaps = world.gaps().subList(before, world.gaps().size());
    assertThat(gaps.size()).as("operations").isEqualTo(failures);
    for (int failed = 1; failed <= gaps.size(); failed++) {
      Duration expected = Duration.ofMinutes(failed > 11 ? 1440 : 1L << (failed - 1));
      assertThat(gaps.get(failed - 1))
          .as("wait after failure %d", failed)
          .isBetween(expected, expected.plus(SLACK));
    }
    assertCounted(failures);
    List<WorkflowExecutionHistory> runs = fixture.runs();
    int all = runs.stream().mapToInt(run -> run.getEvents().size()).sum();
    int longest = runs.stream().mapToInt(run -> run.getEvents().size()).max().orElseThrow();
    int largest = runs.stream().mapToInt(YearsOfFailuresTest::bytes).max().orElseThrow();
    double perAttempt = (double) all / (gaps.size() + 1);
    LOG.info(
        "{}: {} retries in {} days of skipped time; {} runs, {} events per attempt, the longest"
            + " history {} events, the largest {} KiB",
        what,
        gaps.size(),
        gaps.stream().reduce(Duration.ZERO, Duration::plus).toDays(),
        runs.size(),
        "%.1f".formatted(perAttempt),
        longest,
        largest / 1024);
    assertThat(perAttempt).as("events per attempt").isBetween(10.0, 40.0);
    assertThat(longest).as("events of the longest history").isLessThan(MOST_EVENTS);
    assertThat(largest).as("bytes of the largest history").isLessThan(MOST_BYTES);
  }

  /** Each count was shown, in this order, and none was skipped or shown twice with another end. */
  private void assertCounted(int failures) {
    List<Integer> shown =
        world.reports().stream()
            .map(ReportInput::state)
            .filter(state -> state.failures() > 0)
            .map(state -> state.failures())
            .distinct()
            .toList();
    assertThat(shown.size()).as("counts shown").isEqualTo(failures);
    for (int i = 0; i < shown.size(); i++) {
      assertThat(shown.get(i)).isEqualTo(i + 1);
    }
  }

  private static int bytes(WorkflowExecutionHistory run) {
    return run.getEvents().stream().mapToInt(event -> event.getSerializedSize()).sum();
  }
}
