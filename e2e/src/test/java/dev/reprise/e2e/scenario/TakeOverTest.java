package dev.reprise.e2e.scenario;

import static dev.reprise.e2e.world.ProgramJournal.program;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.world.GitRepository;
import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engines")
@ExtendWith(SharedWorld.class)
class TakeOverTest {
  private static final String COOLDOWN = "retry: {initialBackoffSeconds: 3600}\n";

  @Test
  void stacksOfTheOtherOperatorStayAsTheyAreOrGoOnWithTheirCount(World world) {
    Place place = world.place("takeover");
    GitRepository good =
        place.repository(Map.of("up", program("exit 0"), "destroy", program("exit 0")));
    String commit = good.commit(Map.of());
    GitRepository bad =
        place.repository(Map.of("up", program("exit 1"), "destroy", program("exit 0")));
    StackHandle settled = place.stacks().named("settled");
    StackHandle failing = place.stacks().named("failing");
    world.upgrade(Map.of("watcher.replicas", "0"));
    try {
      left(place, good, bad, commit);
    } finally {
      world.upgrade(Map.of());
    }

    settled.await("taken over", stack -> stack.get("status", "retry") != null).awaitReady();
    failing.awaitReason("Reconciling", "RetryingAfterFailure");
    assertThat(settled.status("outputs", "url")).contains("https://example.com");
    assertThat(settled.status("lastUpdate", "name")).contains("before-1");
    assertThat(place.journal("settled").begun("up")).isZero();
    assertThat(place.journal("failing").begun("up")).isEqualTo(1);
    assertThat(failing.failures()).isEqualTo(1);
    assertThat(failing.condition("Stalled")).isEmpty();
  }

  /** Two Stacks with what the other operator had written of them when it was stopped. */
  private static void left(Place place, GitRepository good, GitRepository bad, String commit) {
    StackHandle settled = place.apply("settled", good, COOLDOWN);
    settled.writeStatus(
        status(commit, "succeeded", 0)
            + """
            outputs: {url: "https://example.com"}
            conditions:
              - {type: Ready, status: "True", reason: ProcessingCompleted, message: done,
                 lastTransitionTime: "2026-01-01T00:00:00Z"}
            """);
    StackHandle failing = place.apply("failing", bad, COOLDOWN);
    failing.writeStatus(
        status(commit, "failed", 2)
            + """
            conditions:
              - {type: Stalled, status: "True", reason: UpdateFailed, message: failed,
                 lastTransitionTime: "2026-01-01T00:00:00Z"}
              - {type: Ready, status: "False", reason: NotReadyStalled, message: stalled,
                 lastTransitionTime: "2026-01-01T00:00:00Z"}
            """);
  }

  private static String status(String commit, String state, int failures) {
    return """
    observedGeneration: 1
    lastUpdate:
      generation: 1
      name: before-1
      type: up
      state: %s
      failures: %d
      lastAttemptedCommit: %s
      lastSuccessfulCommit: %s
      lastResyncTime: "2026-01-01T00:00:00Z"
    """
        .formatted(state, failures, commit, commit);
  }
}
