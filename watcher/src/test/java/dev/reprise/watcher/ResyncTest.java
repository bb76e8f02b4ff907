package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResyncTest {
  private final Bench bench = new Bench();
  private final List<GenericKubernetesResource> server = new ArrayList<>();
  private final FakeCache cache = new FakeCache();
  private Runnable duringPause = () -> {};
  private boolean down;
  private final List<Duration> pauses = new ArrayList<>();
  private final Resync resync =
      new Resync(this::list, cache, bench.intake, bench.clock, this::pause);

  @BeforeEach
  void oneStackKnownToAll() {
    server.add(Stacks.inOrder("a").version("1").build());
    cache.versions = Optional.of(new HashMap<>(Map.of("uid-a", "1")));
  }

  @Test
  void aWishWhoseEventWasLostIsFoundByTheList() throws Exception {
    server.set(0, Stacks.inOrder("a").version("2").generation(4).build());
    assertThat(resync.once()).isTrue();
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
    assertThat(resync.quiet()).isTrue();
    assertThat(cache.restarts).isEqualTo(1);
    assertThat(resync.lastList()).isEqualTo(Stacks.NOW);
  }

  @Test
  void aWatchThatIsOnlySlowerThanTheListIsNotQuiet() throws Exception {
    server.set(0, Stacks.inOrder("a").version("2").generation(4).build());
    duringPause = () -> cache.versions = Optional.of(Map.of("uid-a", "2"));
    resync.once();
    assertThat(pauses).containsExactly(Resync.GRACE);
    assertThat(resync.quiet()).isFalse();
    assertThat(cache.restarts).isZero();
  }

  @Test
  void aWatchThatMissedACreationOrADeletionIsQuiet() throws Exception {
    server.set(0, Stacks.inOrder("b").version("2").build());
    resync.once();
    assertThat(resync.quiet()).isTrue();
    cache.versions = Optional.of(Map.of("uid-b", "2"));
    resync.once();
    assertThat(resync.quiet()).isFalse();
  }

  @Test
  void aWatchStillWithoutItsFirstListIsNotJudged() throws Exception {
    cache.versions = Optional.empty();
    resync.once();
    assertThat(resync.quiet()).isFalse();
    assertThat(cache.restarts).isZero();
    assertThat(pauses).isEmpty();
  }

  @Test
  void whatTheListNoLongerShowsIsForgotten() throws Exception {
    resync.once();
    server.clear();
    resync.once();
    assertThat(bench.intake.known()).isEmpty();
  }

  @Test
  void anOverdueRunIsFoundByTheList() throws Exception {
    resync.once();
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();
    bench.clock.advance(Duration.ofMinutes(71));
    resync.once();
    bench.drain();
    assertThat(bench.starter.delivered)
        .extracting(Desire::reason)
        .containsExactly("run is overdue");
  }

  @Test
  void aListThatFailsForgetsNothing() throws Exception {
    resync.once();
    server.clear();
    down = true;
    assertThat(resync.once()).isFalse();
    assertThat(bench.intake.known()).containsExactly("uid-a");
    assertThat(resync.failures()).isEqualTo(1);
  }

  private void list(java.util.function.Consumer<GenericKubernetesResource> each) {
    if (down) {
      throw new KubernetesClientException("down");
    }
    server.forEach(each);
  }

  private void pause(Duration duration) {
    pauses.add(duration);
    duringPause.run();
  }

  private static final class FakeCache implements WatchCache {
    Optional<Map<String, String>> versions = Optional.empty();
    int restarts;

    @Override
    public Optional<Map<String, String>> versions() {
      return versions;
    }

    @Override
    public void restart() {
      restarts++;
    }
  }
}
