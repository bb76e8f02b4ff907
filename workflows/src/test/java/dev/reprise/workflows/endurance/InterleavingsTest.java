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

  private record Result(int events, int operations, List<String> violations) {}

  @Test
  void nothingIsLostDoubledOrMiscountedWhateverHappensAtOnce() throws Exception {
    long first = SEED == 0 ? FIRST : SEED;
    long last = SEED == 0 ? FIRST + NUMBER - 1 : SEED;
    List<Result> results = new ArrayList<>();
    try (ExecutorService lanes = Executors.newFixedThreadPool(LANES)) {
      List<Future<Result>> playing =
          LongStream.rangeClosed(first, last)
              .mapToObj(seed -> lanes.submit(() -> play(Script.draw(seed))))
              .toList();
      for (Future<Result> played : playing) {
        results.add(played.get());
      }
    }
    List<String> violations = results.stream().flatMap(r -> r.violations().stream()).toList();
    LOG.info(
        "{} scripts, seeds {}-{}, {} events, {} operations, violations {}",
        results.size(),
        first,
        last,
        results.stream().mapToInt(Result::events).sum(),
        results.stream().mapToInt(Result::operations).sum(),
        violations.size());
    assertThat(violations).isEmpty();
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
        violations.stream().map(what -> "seed %d: %s".formatted(script.seed(), what)).toList());
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
