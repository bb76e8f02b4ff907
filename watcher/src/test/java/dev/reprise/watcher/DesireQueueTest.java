package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.activity.StackRef;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DesireQueueTest {
  private final TestClock clock = new TestClock();
  private final DesireQueue queue = new DesireQueue(clock);

  @Test
  void theNewestDesireOfAStackReplacesTheOlderOneAndKeepsItsTurn() {
    queue.offer(desire("a", "1"));
    queue.offer(desire("b", "1"));
    queue.offer(desire("a", "2"));
    assertThat(queue.size()).isEqualTo(2);
    assertThat(queue.poll()).contains(desire("a", "2"));
    assertThat(queue.poll()).contains(desire("b", "1"));
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void whatIsPutBackComesLastAndNeverReplacesSomethingNewer() {
    queue.offer(desire("a", "newer"));
    queue.putBack(desire("a", "older"));
    queue.putBack(desire("b", "1"));
    queue.offer(desire("c", "1"));
    assertThat(queue.poll()).contains(desire("a", "newer"));
    assertThat(queue.poll()).contains(desire("b", "1"));
  }

  @Test
  void aDelayedDesireHoldsUpNoOtherAndIsNotPushedBackByTheSameAgain() {
    queue.offer(delayed("a"));
    queue.offer(desire("b", "1"));
    assertThat(queue.poll()).contains(desire("b", "1"));
    clock.advance(Duration.ofSeconds(4));
    queue.offer(delayed("a"));
    assertThat(queue.poll()).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(queue.poll()).contains(delayed("a"));
  }

  @Test
  void aNewerDesireWaitsForTheEndOfTheDelayToo() {
    queue.offer(delayed("a"));
    queue.offer(desire("a", "newer"));
    assertThat(queue.poll()).isEmpty();
    clock.advance(Duration.ofSeconds(5));
    assertThat(queue.poll()).contains(desire("a", "newer"));
  }

  @Test
  void aStackThatIsGoneWantsNothing() {
    queue.offer(desire("a", "1"));
    queue.remove("uid-a");
    assertThat(queue.poll()).isEmpty();
  }

  @Test
  void takeWaitsForADesire() throws Exception {
    CompletableFuture<Desire> taken = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                taken.complete(queue.take());
              } catch (InterruptedException e) {
                taken.completeExceptionally(e);
              }
            });
    queue.offer(desire("a", "1"));
    assertThat(taken.get(10, TimeUnit.SECONDS)).isEqualTo(desire("a", "1"));
  }

  private static Desire desire(String name, String wish) {
    return new Desire(ref(name), Desire.Topic.OBJECT, "why", wish);
  }

  private static Desire delayed(String name) {
    return new Desire(ref(name), Desire.Topic.OBJECT, "why", "later", Duration.ofSeconds(5));
  }

  private static StackRef ref(String name) {
    return new StackRef("default", name, "uid-" + name);
  }
}
