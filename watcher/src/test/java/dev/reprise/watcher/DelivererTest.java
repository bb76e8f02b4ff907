package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DelivererTest {
  private final Bench bench = new Bench();

  @Test
  void afterTemporalWasAwayEveryDesireIsDeliveredOnce() throws Exception {
    bench.starter.failNext(8);
    IntStream.range(0, 20).forEach(i -> wanting("s" + i));
    bench.drain();
    assertThat(bench.starter.deliveredNames()).hasSize(20).doesNotHaveDuplicates();
    assertThat(bench.deliverer.unreachable()).isEqualTo(8);
    assertThat(bench.pauses)
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
  }

  @Test
  void theBackoffStartsAnewAfterADelivery() throws Exception {
    bench.starter.failNext(3);
    wanting("a");
    bench.drain();
    bench.starter.failNext(1);
    wanting("b");
    bench.drain();
    assertThat(bench.pauses).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 1L);
  }

  @Test
  void aRefusedDesireHoldsUpNoOtherAndIsTriedAgainLater() throws Exception {
    bench.starter.refuses.add("bad");
    wanting("bad");
    wanting("good");
    bench.drain();
    wanting("bad");
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("bad", "good");
    assertThat(bench.pauses).isEmpty();
    assertThat(bench.deliverer.refused()).isEqualTo(1);

    bench.clock.advance(Duration.ofMinutes(10));
    wanting("bad");
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("bad", "good", "bad");
  }

  @Test
  void whileSuspendedNothingIsDeliveredAndNothingIsLost() throws Exception {
    wanting("a");
    bench.deliverer.suspend(true);
    bench.deliverer.deliver(bench.queue.take());
    wanting("b");
    assertThat(bench.starter.calls).isEmpty();
    assertThat(bench.pauses).containsExactly(Duration.ofSeconds(1));

    bench.deliverer.suspend(false);
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a", "b");
  }

  @Test
  void theSameObjectAThousandTimesIsOneCall() throws Exception {
    for (int i = 0; i < 1000; i++) {
      wanting("a");
      if (i % 3 == 0) {
        bench.drain();
      }
    }
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
  }

  @Test
  void aDesireOfferedAgainWhileItsCallIsUnderWayIsNotDeliveredTwice() throws Exception {
    wanting("a");
    Desire taken = bench.queue.poll().orElseThrow();
    wanting("a");
    bench.deliverer.deliver(taken);
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
  }

  @Test
  void objectsThatWantNothingCostNoCall() throws Exception {
    IntStream.range(0, 1000)
        .forEach(i -> bench.intake.seen(Stacks.inOrder("s" + i).ready("u").build()));
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();
    assertThat(bench.intake.known()).hasSize(1000);
  }

  @Test
  void aWishThatStandsIsDeliveredAgainAfterTenMinutesDoublingToADay() throws Exception {
    List<Long> minutes = new ArrayList<>();
    for (long minute = 0; minute < 6 * 1440; minute++) {
      bench.intake.seen(Stacks.inOrder("a").withoutStatus());
      int before = bench.starter.calls.size();
      bench.drain();
      if (bench.starter.calls.size() > before) {
        minutes.add(minute);
      }
      bench.clock.advance(Duration.ofMinutes(1));
    }
    // Each after 10, 20, 40, 80, 160, 320, 640, 1280 minutes, then once a day.
    assertThat(minutes)
        .containsExactly(
            0L, 10L, 30L, 70L, 150L, 310L, 630L, 1270L, 2550L, 3990L, 5430L, 6870L, 8310L);
  }

  @Test
  void aNewWishIsDeliveredAtOnceAndAFulfilledOneIsForgotten() throws Exception {
    wanting("a");
    bench.drain();
    bench.intake.seen(Stacks.inOrder("a").generation(5).build());
    bench.drain();
    bench.intake.seen(Stacks.inOrder("a").build());
    assertThat(bench.deliveries.uids()).isEmpty();
    bench.intake.seen(Stacks.inOrder("a").generation(5).build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a", "a", "a");
  }

  @Test
  void nothingIsRememberedOfAStackThatIsGone() throws Exception {
    wanting("a");
    bench.drain();
    wanting("b");
    bench.intake.gone("uid-a");
    bench.intake.gone("uid-b");
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
    assertThat(bench.deliveries.uids()).isEmpty();
    assertThat(bench.intake.known()).isEmpty();
  }

  private void wanting(String name) {
    bench.intake.seen(Stacks.inOrder(name).generation(4).build());
  }
}
