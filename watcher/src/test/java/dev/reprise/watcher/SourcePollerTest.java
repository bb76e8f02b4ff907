package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.spec.Policy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SourcePollerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Bench bench = new Bench();
  private final Map<String, String> revisions = new HashMap<>();
  private final Map<String, Integer> asked = new HashMap<>();

  @Test
  void onlyStacksWhoseRevisionMovedAreWoken() throws Exception {
    stack("moved", "repo", "r1");
    stack("current", "repo", "r2");
    stack("fresh", "repo", "");
    stack("elsewhere", "other", "r1");
    revisions.putAll(Map.of("repo", "r2", "other", "r1"));
    poll(MINUTE);
    assertThat(bench.starter.calls).containsExactly("moved");
    assertThat(bench.starter.delivered.getFirst().reason()).isEqualTo("source has moved");
  }

  @Test
  void aSourceSharedByManyIsAskedOncePerInterval() throws Exception {
    IntStream.range(0, 100).forEach(i -> stack("s" + i, "repo", "r1"));
    revisions.put("repo", "r1");
    for (int second = 0; second < 600; second++) {
      poll(Duration.ofSeconds(1));
    }
    assertThat(asked).containsExactly(Map.entry("repo", 10));
    assertThat(bench.starter.calls).isEmpty();
  }

  @Test
  void aStackSeenEverySecondDoesNotPutOffItsPoll() throws Exception {
    revisions.put("repo", "r1");
    for (int second = 0; second < 120; second++) {
      stack("a", "repo", "r1");
      poll(Duration.ofSeconds(1));
    }
    assertThat(asked).containsExactly(Map.entry("repo", 2));
  }

  @Test
  void aRevisionIsAnnouncedOnceAndTheNextOneAtOnce() throws Exception {
    stack("a", "repo", "r1");
    revisions.put("repo", "r2");
    poll(MINUTE);
    poll(MINUTE);
    assertThat(bench.starter.calls).hasSize(1);
    revisions.put("repo", "r3");
    poll(MINUTE);
    assertThat(bench.starter.calls).hasSize(2);
    stack("a", "repo", "r3");
    poll(MINUTE);
    stack("a", "repo", "r2");
    poll(MINUTE);
    assertThat(bench.starter.calls).hasSize(3);
  }

  @Test
  void aSourceThatFailsDelaysNoOther() throws Exception {
    stack("broken", "gone", "r1");
    stack("a", "repo", "r1");
    revisions.put("repo", "r2");
    poll(MINUTE);
    assertThat(bench.starter.calls).containsExactly("a");
    assertThat(bench.poller.failures()).isEqualTo(1);
    revisions.put("gone", "r2");
    poll(MINUTE);
    assertThat(bench.starter.calls).containsExactly("a", "broken");
  }

  @Test
  void asksAtMostSixtyFourAtOnceAndEachOnlyOnceAtATime() throws Exception {
    Deque<Runnable> hanging = new ArrayDeque<>();
    SourcePoller poller =
        new SourcePoller(
            stack -> {
              String key = stack.identity().name();
              return Optional.of(new SourceQuery(key, MINUTE, () -> "r1"));
            },
            bench.outbox,
            hanging::add,
            bench.clock);
    StackReader reader = new StackReader(Policy.DEFAULTS);
    for (int i = 0; i < 100; i++) {
      poller.seen(reader.read(Stacks.inOrder("s" + i).build()));
    }
    for (int minute = 0; minute < 10; minute++) {
      bench.clock.advance(MINUTE);
      poller.tick();
    }
    assertThat(hanging).hasSize(64);
    List.copyOf(hanging).forEach(Runnable::run);
    hanging.clear();
    poller.tick();
    // Those that were passed over come before the others' second turn.
    assertThat(hanging).hasSize(64);
    hanging.forEach(Runnable::run);
    assertThat(poller.asked()).isEqualTo(128);
  }

  @Test
  void aSourceThatNoStackUsesAnyLongerIsNotAsked() throws Exception {
    stack("gone", "repo", "r1");
    bench.intake.gone("uid-gone");
    stack("deleting", "repo", "r1");
    bench.intake.seen(Stacks.inOrder("deleting").deleting().withoutFinalizer().build());
    stack("invalid", "repo", "r1");
    bench.intake.seen(Stacks.inOrder("invalid").spec("stack", 7).spec("refresh", "x").build());
    stack("switched", "repo", "r1");
    stack("switched", "other", "r1");
    revisions.put("other", "r1");
    poll(MINUTE);
    assertThat(asked).containsExactly(Map.entry("other", 1));
  }

  @Test
  void theQuestionsAreSpreadOverTheInterval() throws Exception {
    IntStream.range(0, 600).forEach(i -> stack("s" + i, "repo " + i, "r1"));
    poll(Duration.ofSeconds(1));
    assertThat(asked.size()).isBetween(1, 60);
    poll(Duration.ofSeconds(59));
    assertThat(asked).hasSize(600);
  }

  private void stack(String name, String source, String lastRevision) {
    bench.sources.put(name, new SourceQuery(source, MINUTE, () -> ask(source)));
    bench.intake.seen(Stacks.inOrder(name).lastRevision(lastRevision).build());
  }

  private String ask(String source) throws SourceUnavailable {
    asked.merge(source, 1, Integer::sum);
    String revision = revisions.get(source);
    if (revision == null) {
      throw new SourceUnavailable(source, "is away");
    }
    return revision;
  }

  private void poll(Duration after) throws InterruptedException {
    bench.clock.advance(after);
    bench.poller.tick();
    bench.drain();
  }
}
