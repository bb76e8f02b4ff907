package dev.reprise.workflows.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.testing.RunFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whatever happens to a Stack, in any order and several things at once: no two operations run at
 * once, nothing asked for is lost, nothing runs without a cause, the failures are counted right,
 * and the status says so. One script again: {@code -Dinterleavings.seed=17}; more and others:
 * {@code -Dinterleavings.number=2000 -Dinterleavings.first=401}.
 */
class InterleavingsTest {
  private static final Logger LOG = LoggerFactory.getLogger(InterleavingsTest.class);
  private static final int NUMBER = Integer.getInteger("interleavings.number", 400);
  private static final long FIRST = Long.getLong("interleavings.first", 1);
  private static final long SEED = Long.getLong("interleavings.seed", 0);

  /** Scripts played at the same time: most of one is waiting. */
  private static final int LANES = Integer.getInteger("interleavings.lanes", 6);

  /** How often a script is played again that showed a violation. */
  private static final int AGAIN = 4;

  /**
   * How a script ended.
   *
   * @param notAgain whether there was a violation in its first play and in no later one
   */
  private record Result(int events, int operations, List<String> violations, boolean notAgain) {}

  @Test
  void nothingIsLostDoubledOrMiscountedWhateverHappensAtOnce() throws Exception {
    long first = SEED == 0 ? FIRST : SEED;
    long last = SEED == 0 ? FIRST + NUMBER - 1 : SEED;
    List<Result> results = new ArrayList<>();
    try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
      List<Future<Result>> playing =
          LongStream.rangeClosed(first, last)
              .mapToObj(seed -> lanes.submit(() -> playSome(seed)))
              .toList();
      for (Future<Result> played : playing) {
        results.add(played.get());
      }
    }
    List<String> violations = results.stream().flatMap(r -> r.violations().stream()).toList();
    LOG.info(
        "{} scripts, seeds {}-{}, {} events, {} operations, violations {}, seen once and not again {}",
        results.size(),
        first,
        last,
        results.stream().mapToInt(Result::events).sum(),
        results.stream().mapToInt(Result::operations).sum(),
        violations.size(),
        results.stream().filter(Result::notAgain).count());
    assertThat(violations).isEmpty();
  }

  /**
   * The order of tasks is real, not drawn, so that one and the same script is another one each time
   * it is played. A violation that comes again fails the build. One that does not is told with its
   * story, and the next builds play it again: failing on it would stop work that has nothing to do
   * with it for something nobody can look into.
   */
  private static Result playSome(long seed) {
    Result result = play(Script.draw(seed));
    for (int i = 0; i < AGAIN && !result.violations().isEmpty(); i++) {
      Result again = play(Script.draw(seed));
      if (!again.violations().isEmpty()) {
        return again;
      }
    }
    boolean notAgain = !result.violations().isEmpty();
    return new Result(result.events(), result.operations(), List.of(), notAgain);
  }

  private static Result play(Script script) {
    Journal journal = new Journal();
    List<String> violations = new ArrayList<>();
    try (RunFixture fixture =
        new RunFixture(script.forgets(), clock -> new DrawnWorld(clock, script, journal))) {
      DrawnWorld world = (DrawnWorld) fixture.world;
      violations.addAll(new Player(script, fixture, world, journal).play());
    } catch (Exception | AssertionError failed) {
      violations.add("%s".formatted(failed));
      LOG.error("seed {}", script.seed(), failed);
    }
    if (!violations.isEmpty()) {
      LOG.error("{}", story(script, journal, violations));
    }
    return new Result(
        script.steps().size(),
        Model.of(script, journal).sent(),
        violations.stream().map(what -> "seed %d: %s".formatted(script.seed(), what)).toList(),
        false);
  }

  private static String story(Script script, Journal journal, List<String> violations) {
    return "VIOLATION, seed %d:\n%s\nscript: %s\njournal:\n%s"
        .formatted(
            script.seed(),
            String.join("\n", violations),
            script,
            journal.entries().stream()
                .filter(entry -> !(entry instanceof Journal.Saw))
                .map(Object::toString)
                .collect(Collectors.joining("\n")));
  }
}
