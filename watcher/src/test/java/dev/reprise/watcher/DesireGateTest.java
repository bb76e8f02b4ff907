package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.status.StatusReader;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DesireGateTest {
  private static final String TOKEN = StackIdentity.RECONCILE_REQUEST;
  private static final String PAUSED = StackIdentity.PAUSED;

  static Stream<Arguments> objectsThatWantSomething() {
    return Stream.of(
        arguments("not taken up yet", a().withoutStatus()),
        arguments("not taken up yet", a().withoutFinalizer().build()),
        arguments("not taken up yet", a().withoutRetryRecord().build()),
        arguments("not taken up yet", a().retry("nextWakeTime", "soon").build()),
        arguments("not taken up yet", withStatus("what a status")),
        arguments("not taken up yet", withStatus(List.of(1, 2))),
        arguments("not taken up yet", withStatus(Map.of("retry", Map.of("failures", "many")))),
        arguments("generation 4", a().generation(4).build()),
        arguments("generation 2", a().generation(2).build()),
        arguments("generation 3", a().status("observedGeneration", "x").build()),
        arguments("reconciliation requested", a().annotation(TOKEN, "now").build()),
        arguments("reconciliation requested", a().status("observedReconcileRequest", "x").build()),
        arguments("deletion requested", a().deleting().build()),
        arguments("deletion requested", a().deleting().withoutStatus()),
        arguments("generation 4", a().generation(4).retry("looked", looked(3, "")).build()),
        arguments(
            "reconciliation requested",
            a().annotation(TOKEN, "2").retry("looked", looked(3, "1")).build()),
        arguments("paused", a().annotation(PAUSED, "true").build()),
        arguments("paused", a().annotation(PAUSED, "audit").build()),
        arguments("resumed", a().retry("paused", true).build()),
        arguments("run was cancelled", a().retry("nextWakeTime", "1970-01-01T00:00:00Z").build()),
        arguments("run is overdue", wakesIn(-601)));
  }

  @ParameterizedTest
  @MethodSource("objectsThatWantSomething")
  void wants(String reason, GenericKubernetesResource stack) {
    assertThat(DesireGate.wants(stack, Stacks.NOW))
        .hasValueSatisfying(
            desire -> {
              assertThat(desire.reason()).isEqualTo(reason);
              assertThat(desire.stack()).hasToString("default/a");
              assertThat(desire.stack().uid()).isEqualTo("uid-a");
              assertThat(desire.wish()).isNotEmpty();
            });
  }

  static Stream<Arguments> objectsThatWantNothing() {
    return Stream.of(
        arguments("in order", a().build()),
        arguments("an empty token", a().annotation(TOKEN, "").build()),
        arguments(
            "an observed token",
            a().annotation(TOKEN, "now").status("observedReconcileRequest", "now").build()),
        arguments("shown paused", a().annotation(PAUSED, "true").retry("paused", true).build()),
        arguments("a pause that is none", a().annotation(PAUSED, "false").build()),
        arguments("held", a().retry("paused", true).retry("hold", "audit").build()),
        arguments(
            "a generation looked at while paused",
            a().generation(4)
                .annotation(PAUSED, "true")
                .retry("paused", true)
                .retry("looked", looked(4, ""))
                .build()),
        arguments(
            "a token that waits for prerequisites",
            a().annotation(TOKEN, "2").retry("looked", looked(3, "2")).build()),
        arguments("a little late", wakesIn(-600)),
        arguments("deleting, released", a().deleting().withoutFinalizer().build()),
        arguments("record in the annotation", recordInAnnotation()),
        arguments("no uid", withoutUid()),
        arguments("no metadata", new GenericKubernetesResource()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("objectsThatWantNothing")
  void wantsNothing(String why, GenericKubernetesResource stack) {
    assertThat(DesireGate.wants(stack, Stacks.NOW)).as(why).isEmpty();
  }

  @Test
  void aCancelledRunIsGivenTimeToCloseFirst() {
    assertThat(delay(a())).isEqualTo(Duration.ofSeconds(5));
    // Whatever else is wanted, the signal must not reach the run that is closing.
    assertThat(delay(a().generation(4))).isEqualTo(Duration.ofSeconds(5));
    assertThat(delay(a().deleting())).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void anotherCancellationIsAnotherWish() {
    assertThat(wish(cancelled(a()).retry("sequence", 8)))
        .isNotEqualTo(wish(cancelled(a()).retry("sequence", 9)));
  }

  @Test
  void aLostRunIsReplacedAtOnceAlsoWhileADeletionStands() {
    Stacks lost = a().deleting().retry("nextWakeTime", "2026-12-01T11:00:00Z");
    assertThat(wish(lost)).isNotEqualTo(wish(a().deleting()));
  }

  @Test
  void aWriteOfTheStatusDoesNotMakeAWishANewOne() {
    assertThat(wish(a().deleting().retry("sequence", 8).status("observedGeneration", 2)))
        .isEqualTo(wish(a().deleting()));
    assertThat(wish(a().generation(4).retry("sequence", 8))).isEqualTo(wish(a().generation(4)));
  }

  @Test
  void askingForSomethingElseMakesAWishANewOne() {
    assertThat(wish(a().deleting().annotation(TOKEN, "now"))).isNotEqualTo(wish(a().deleting()));
    assertThat(wish(a().generation(5))).isNotEqualTo(wish(a().generation(4)));
    assertThat(wish(a().annotation(TOKEN, "1"))).isNotEqualTo(wish(a().annotation(TOKEN, "2")));
  }

  @Test
  void theTokenOfAUserStaysOutOfTheReason() {
    assertThat(
            DesireGate.wants(a().annotation(TOKEN, "hunter2").build(), Stacks.NOW)
                .orElseThrow()
                .reason())
        .doesNotContain("hunter2");
  }

  private static Map<String, Object> looked(long generation, String token) {
    return Map.of("generation", generation, "reconcileRequest", token);
  }

  private static Stacks cancelled(Stacks stack) {
    return stack.retry("nextWakeTime", Instant.EPOCH.toString());
  }

  private static Duration delay(Stacks stack) {
    return DesireGate.wants(cancelled(stack).build(), Stacks.NOW).orElseThrow().delay();
  }

  private static String wish(Stacks stack) {
    return DesireGate.wants(stack.build(), Stacks.NOW).orElseThrow().wish();
  }

  private static Stacks a() {
    return Stacks.inOrder("a");
  }

  private static GenericKubernetesResource wakesIn(int seconds) {
    return a().retry("nextWakeTime", Stacks.NOW.plusSeconds(seconds).toString()).build();
  }

  private static GenericKubernetesResource withStatus(Object status) {
    GenericKubernetesResource stack = a().build();
    stack.setAdditionalProperty("status", status);
    return stack;
  }

  private static GenericKubernetesResource recordInAnnotation() {
    return a().withoutRetryRecord()
        .annotation(StatusReader.RETRY_STATE, "{\"nextWakeTime\":\"2026-12-01T13:00:00Z\"}")
        .build();
  }

  private static GenericKubernetesResource withoutUid() {
    GenericKubernetesResource stack = a().generation(4).build();
    stack.getMetadata().setUid(null);
    return stack;
  }
}
