package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrerequisitesTest {
  private final Bench bench = new Bench();

  @Test
  void aPrerequisiteThatBecomesReadyWakesOnlyThoseThatWaitForIt() throws Exception {
    see(Stacks.inOrder("base").build());
    bench.clock.advance(Duration.ofMinutes(2));
    see(
        Stacks.inOrder("waits").needs("base").waiting().build(),
        Stacks.inOrder("cycle").needs("base").shows("Stalled", "PrerequisiteCycle").build(),
        Stacks.inOrder("ready").needs("base").ready("u1").build(),
        Stacks.inOrder("other").needs("else").waiting().build(),
        Stacks.inOrder("free").build());
    assertThat(bench.starter.calls).isEmpty();

    see(Stacks.inOrder("base").ready("base-1").build());
    assertThat(bench.starter.calls).containsExactlyInAnyOrder("waits", "cycle");
    assertThat(bench.starter.delivered.getFirst().reason()).isEqualTo("prerequisite base changed");
  }

  @ParameterizedTest
  @CsvSource({
    "Reconciling, StackProcessing",
    "Reconciling, RetryingAfterFailure",
    "Stalled, SpecInvalid",
    "Stalled, UpdateFailed"
  })
  void whoRunsCoolsDownOrIsStalledOtherwiseIsNotWoken(String type, String reason) throws Exception {
    see(Stacks.inOrder("base").build());
    see(Stacks.inOrder("busy").needs("base").shows(type, reason).build());
    see(Stacks.inOrder("base").ready("base-1").build());
    bench.intake.gone("uid-base");
    bench.drain();

    assertThat(bench.starter.calls).isEmpty();
  }

  @Test
  void whoIsPausedOrBeingDeletedIsNotWoken() throws Exception {
    see(Stacks.inOrder("base").build());
    bench.clock.advance(Duration.ofMinutes(2));
    see(
        Stacks.inOrder("held")
            .needs("base")
            .waiting()
            .retry("paused", true)
            .retry("hold", "x")
            .build());
    see(Stacks.inOrder("going").needs("base").waiting().build());
    see(Stacks.inOrder("going").needs("base").waiting().deleting().withoutFinalizer().build());
    see(Stacks.inOrder("base").ready("base-1").build());

    assertThat(bench.starter.calls).isEmpty();
  }

  @Test
  void aPrerequisiteWakesAgainOnlyWithItsNextUpdate() throws Exception {
    see(Stacks.inOrder("base").build());
    bench.clock.advance(Duration.ofMinutes(2));
    see(
        Stacks.inOrder("waits").needs("base").waiting().build(),
        Stacks.inOrder("base").ready("base-1").build(),
        Stacks.inOrder("base").ready("base-1").version("2").build());
    assertThat(bench.starter.calls).hasSize(1);

    see(
        Stacks.inOrder("base").ready("base-2").build(),
        Stacks.inOrder("base").ready("base-2").version("4").build());
    assertThat(bench.starter.calls).containsExactly("waits", "waits");
  }

  @Test
  void onesCreationAndItsEndWakeThoseThatWait() throws Exception {
    see(Stacks.inOrder("waits").needs("base").waiting().build());
    assertThat(bench.starter.calls).isEmpty();

    see(Stacks.inOrder("base").build());
    assertThat(bench.starter.calls).hasSize(1);
    bench.intake.gone("uid-base");
    bench.drain();
    assertThat(bench.starter.delivered.getLast().reason()).isEqualTo("prerequisite base is gone");
    see(Stacks.inOrder("base").build());
    assertThat(bench.starter.calls).containsExactly("waits", "waits", "waits");
  }

  @Test
  void aWaitThatShowsOnlyAfterThePrerequisiteChangedIsLookedAtOnceMore() throws Exception {
    see(
        Stacks.inOrder("base").reconciling("StackProcessing").build(),
        Stacks.inOrder("waits").needs("base").reconciling("StackProcessing").build());
    bench.clock.advance(Duration.ofMinutes(5));
    // It has looked by now, and what it saw shows last.
    see(Stacks.inOrder("base").ready("base-1").build());
    assertThat(bench.starter.calls).isEmpty();

    bench.clock.advance(Duration.ofSeconds(20));
    see(
        Stacks.inOrder("waits").needs("base").waiting().build(),
        Stacks.inOrder("waits").needs("base").waiting().version("2").build());
    assertThat(bench.starter.calls).containsExactly("waits");
  }

  @Test
  void aWaitForOneThatWasCreatedOrRemovedJustBeforeItShowsIsLookedAtOnceMore() throws Exception {
    see(Stacks.inOrder("first").needs("base").build());
    see(Stacks.inOrder("base").build());
    see(Stacks.inOrder("first").needs("base").waiting().build());
    assertThat(bench.starter.calls).containsExactly("first");

    bench.intake.gone("uid-base");
    bench.drain();
    see(Stacks.inOrder("second").needs("base").waiting().build());
    assertThat(bench.starter.calls).containsExactly("first", "first", "second");
  }

  @Test
  void aWaitForOneThatHasNotChangedLatelyIsLeftAlone() throws Exception {
    see(
        Stacks.inOrder("base").ready("base-1").build(),
        Stacks.inOrder("waits").needs("base").build());
    bench.clock.advance(Duration.ofMinutes(2));
    see(Stacks.inOrder("waits").needs("base").waiting().build());

    assertThat(bench.starter.calls).isEmpty();
  }

  @Test
  void whatAWaitingStackAsksOtherwiseByAnnotationWakesIt() throws Exception {
    String sameRevision = "reprise.dev/prerequisites.sameRevision";
    see(
        Stacks.inOrder("waits").needs("x").waiting().annotation(sameRevision, "true").build(),
        Stacks.inOrder("idle").needs("x").ready("u").annotation(sameRevision, "true").build());
    assertThat(bench.starter.calls).isEmpty();

    see(
        Stacks.inOrder("waits").needs("x").waiting().annotation(sameRevision, "false").build(),
        Stacks.inOrder("idle").needs("x").ready("u").annotation(sameRevision, "false").build());
    assertThat(bench.starter.calls).containsExactly("waits");
  }

  @Test
  void aPrerequisiteThatIsNoLongerNamedWakesNobody() throws Exception {
    see(Stacks.inOrder("base").build());
    bench.clock.advance(Duration.ofMinutes(2));
    see(
        Stacks.inOrder("waits").needs("base").waiting().build(),
        Stacks.inOrder("waits").build(),
        Stacks.inOrder("gone").needs("base").waiting().build());
    bench.intake.gone("uid-gone");
    see(Stacks.inOrder("base").ready("base-1").build());

    assertThat(bench.starter.calls).isEmpty();
  }

  private void see(GenericKubernetesResource... stacks) throws InterruptedException {
    List.of(stacks).forEach(bench.intake::seen);
    bench.drain();
  }
}
