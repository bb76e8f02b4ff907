package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.PolicyDefaults;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyGateTest {
  private static final String LIMIT = "reprise.dev/retry.failureLimit";

  private final Bench bench = new Bench();

  @Test
  void aCoolingStackWithAnotherPolicyIsWokenOnceAndNotForThePolicyItShows() throws Exception {
    bench.intake.seen(cooling("60s..86400s").build());
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();

    bench.intake.seen(cooling("60s..86400s").annotation(LIMIT, "5").build());
    bench.intake.seen(cooling("60s..86400s").annotation(LIMIT, "5").version("2").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
    assertThat(bench.starter.delivered.getFirst().reason()).isEqualTo("retry policy changed");

    bench.intake.seen(cooling("60s..86400s limit 5").annotation(LIMIT, "5").build());
    bench.intake.seen(cooling("60s..86400s limit 5").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a", "a");
  }

  @Test
  void aStackThatStoppedIsWokenToo() throws Exception {
    bench.intake.seen(
        Stacks.inOrder("a").retry("failures", 5).retry("policy", "60s..86400s limit 5").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
  }

  @Test
  void aStackInSyncIsLeftInPeaceUnlessItsPolicyCannotBeRead() throws Exception {
    bench.intake.seen(
        Stacks.inOrder("a").retry("policy", "60s..86400s").annotation(LIMIT, "5").build());
    bench.intake.seen(Stacks.inOrder("new").annotation(LIMIT, "5").build());
    bench.drain();
    assertThat(bench.starter.calls).isEmpty();

    bench.intake.seen(
        Stacks.inOrder("a").retry("policy", "60s..86400s").annotation(LIMIT, "few").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");

    bench.intake.seen(Stacks.inOrder("a").retry("policy", "invalid").build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a", "a");
  }

  @Test
  void aWishTheObjectItselfHasIsEnough() throws Exception {
    bench.intake.seen(cooling("60s..86400s").annotation(LIMIT, "5").generation(4).build());
    bench.drain();
    assertThat(bench.starter.calls).containsExactly("a");
  }

  @Test
  void anotherDefaultOfTheOperatorIsAChangeOfThoseThatWait() throws Exception {
    PolicyGate gate =
        new PolicyGate(
            new StackReader(PolicyDefaults.of(Map.of("retryMaxBackoffDurationSeconds", "300"))));

    assertThat(gate.wants(cooling("60s..86400s").build()))
        .hasValueSatisfying(
            wish -> {
              assertThat(wish.delay()).isEqualTo(Duration.ZERO);
              assertThat(wish.topic()).isEqualTo(Desire.Topic.POLICY);
            });
    assertThat(gate.wants(cooling("60s..300s").build())).isEmpty();
    assertThat(gate.wants(cooling("60s..5s").spec("retryMaxBackoffDurationSeconds", 5).build()))
        .isEmpty();
  }

  private static Stacks cooling(String policy) {
    return Stacks.inOrder("a")
        .retry("policy", policy)
        .retry("nextAttemptTime", "2026-12-01T12:30:00Z");
  }
}
