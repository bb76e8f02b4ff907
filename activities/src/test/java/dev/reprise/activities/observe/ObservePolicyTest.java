package dev.reprise.activities.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Obstacle;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObservePolicyTest extends ObserveFixture {
  private static final String LIMIT = "reprise.dev/retry.failureLimit";

  @Test
  void thePolicyInForceAndItsWordsForTheStatusAreSeen() {
    Observation seen =
        observe.observe(
            cluster.stack(
                "web",
                Map.of("stack", "dev", "retry", Map.of("initialBackoffSeconds", 10)),
                Map.of(LIMIT, "5")));

    assertThat(seen.policy().retry().initialBackoff()).isEqualTo(Duration.ofSeconds(10));
    assertThat(seen.policy().retry().failureLimit()).isEqualTo(5);
    assertThat(seen.policy().shown()).isEqualTo("10s..86400s limit 5");
    assertThat(seen.obstacle().exists()).isFalse();
  }

  @Test
  void anAnnotationThatCannotBeReadStallsItsStackByNameAndNoOther() {
    Observation bad =
        observe.observe(cluster.stack("bad", Map.of("stack", "dev"), Map.of(LIMIT, "few")));
    Observation good =
        observe.observe(cluster.stack("good", Map.of("stack", "dev"), Map.of(LIMIT, "3")));

    assertThat(bad.obstacle())
        .isEqualTo(
            Obstacle.input(
                "SpecInvalid",
                "metadata.annotations[reprise.dev/retry.failureLimit] is not a whole number: give a"
                    + " whole number from 1 to 1000000"));
    assertThat(bad.policy().shown()).isEqualTo("invalid");
    assertThat(good.obstacle()).isEqualTo(Obstacle.NONE);
  }
}
