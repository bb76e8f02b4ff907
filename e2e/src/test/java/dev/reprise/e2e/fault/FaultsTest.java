package dev.reprise.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.fault.Experiment.Outcome;
import dev.reprise.e2e.world.Installation;
import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.ProgramJournal;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("engines")
@ExtendWith(SharedWorld.class)
class FaultsTest {

  @ParameterizedTest
  @ValueSource(strings = {"worker", "watcher"})
  void killingWhatConductsDoesNotTouchARunningOperation(String component, World world) {
    Place place = world.place("kill-" + component);

    Outcome outcome =
        Experiment.of("SIGKILL of the " + component, 12)
            .run(place, random -> kill(world, Installation.NAMESPACE, component, random));

    eachOnce(outcome);
  }

  @Test
  @Tag("smoke")
  void killingWorkersInAShortLoadDoublesAndLosesNothing(World world) {
    Place place = world.place("kill-smoke");

    Outcome outcome =
        Experiment.of("SIGKILL of a worker, short load", 3)
            .wishes(3)
            .run(place, random -> kill(world, Installation.NAMESPACE, "worker", random));

    eachOnce(outcome);
  }

  @Test
  void aKilledAgentsOperationIsMadeAgainAndNeverTwoAtOnce(World world) {
    Place place = world.place("kill-agent");

    Outcome outcome =
        Experiment.of("SIGKILL of an agent", 12)
            .run(place, random -> kill(world, place.namespace(), "s", random));

    assertThat(outcome.seen()).isEqualTo(outcome.expected() + outcome.killed());
    nothingLostOrDoubled(outcome);
  }

  @Test
  void aRollingUpdateOfTheWorkersUnderLoadDoublesAndLosesNothing(World world) {
    Place place = world.place("roll");
    AtomicInteger release = new AtomicInteger();

    Outcome outcome =
        Experiment.of("rolling update of watcher and workers", 3)
            .run(
                place,
                random ->
                    world.upgrade(
                        Map.of("podAnnotations.release", "r" + release.incrementAndGet())));

    eachOnce(outcome);
  }

  @Test
  @Tag("smoke")
  void temporalKilledInMidOperationComesBackWithoutALoss(World world) {
    Place place = world.place("temporal");

    Outcome outcome =
        Experiment.of("SIGKILL of Temporal, back after 5 s", 4)
            .wishes(4)
            .run(
                place,
                random -> {
                  world.temporal().kill();
                  Pause.of(Duration.ofSeconds(5));
                  world.temporal().restart();
                });

    eachOnce(outcome);
  }

  @Test
  void temporalKilledInACooldownKeepsTheCountAndTheTimeOfTheNextAttempt(World world) {
    Place place = world.place("cooldown");
    StackHandle stack =
        place.apply(
            "site",
            place.repository(
                Map.of(
                    "up", ProgramJournal.program("exit 1"),
                    "destroy", ProgramJournal.program("exit 0"))),
            "retry: {initialBackoffSeconds: 20}\n");
    stack.awaitFailures(1);
    Object next = stack.status("retry", "nextAttemptTime").orElseThrow();

    world.temporal().kill();
    world.temporal().restart();

    assertThat(stack.status("retry", "nextAttemptTime")).contains(next);
    assertThat(place.journal("site").begun("up")).isEqualTo(1);
    stack.awaitFailures(2);
    assertThat(place.journal("site").begun("up")).isEqualTo(2);
  }

  @Test
  void anApiServerThatIsGoneForTwoMinutesCostsNoOperation(World world) {
    Place place = world.place("apiserver");

    Outcome outcome =
        Experiment.of("SIGKILL of kube-apiserver, back after 2 min", 1)
            .wishes(6)
            .run(
                place,
                random -> {
                  world.cluster().apiServer().kill();
                  Pause.of(Duration.ofMinutes(2));
                  world.cluster().apiServer().restart();
                  world.cluster().awaitReady();
                });

    eachOnce(outcome);
  }

  @Test
  void anAgentWhoseNetworkIsCutForAWhileGoesOnWithItsOperation(World world) {
    Place place = world.place("cut");

    Outcome outcome =
        Experiment.of("network of an agent cut for 20 s", 4)
            .body("sleep 10")
            .wishes(4)
            .run(place, random -> cut(world, place, random));

    eachOnce(outcome);
  }

  @Test
  void aFrozenAgentIsNeitherDoubledNorLost(World world) {
    Place place = world.place("freeze");

    Outcome outcome =
        Experiment.of("an agent frozen for 45 s", 3)
            .body("sleep 10")
            .wishes(4)
            .run(
                place,
                random -> {
                  String pod = pick(world, place.namespace(), "s", random);
                  world.pods().freeze(place.namespace(), pod);
                  Pause.of(Duration.ofSeconds(45));
                  world.pods().thaw(place.namespace(), pod);
                });

    eachOnce(outcome);
  }

  @Test
  void twoWatchersAndFourWorkersDoNothingTwice(World world) {
    Place place = world.place("two");
    world.upgrade(Map.of("watcher.replicas", "2", "worker.replicas", "4"));
    try {
      eachOnce(Experiment.of("two watchers, four workers, no fault", 1).run(place, random -> {}));
    } finally {
      world.upgrade(Map.of());
    }
  }

  /**
   * It ends an operation with its stream: more are made, but never two at once, and none is lost.
   */
  @ParameterizedTest
  @ValueSource(strings = {"worker", "network"})
  void withAnAgentWithoutOperationIdsWhatAFaultEndsIsMadeAgain(String what, World world) {
    Place place = world.place("plain-" + what);
    world.upgrade(Map.of("agent.kind", "pko", "agent.image", "plain-agent:1"));
    try {
      Outcome outcome =
          Experiment.of("agent without operation ids: " + what, 4)
              .wishes(4)
              .body("sleep 6")
              .run(
                  place,
                  random -> {
                    if (what.equals("worker")) {
                      kill(world, Installation.NAMESPACE, "worker", random);
                    } else {
                      cut(world, place, random);
                    }
                  });
      assertThat(outcome.seen()).isGreaterThanOrEqualTo(outcome.expected());
      nothingLostOrDoubled(outcome);
    } finally {
      world.upgrade(Map.of());
    }
  }

  private static void eachOnce(Outcome outcome) {
    assertThat(outcome.killed()).isZero();
    assertThat(outcome.seen()).isEqualTo(outcome.expected());
    nothingLostOrDoubled(outcome);
  }

  private static void nothingLostOrDoubled(Outcome outcome) {
    assertThat(outcome.doubled()).isEmpty();
    assertThat(outcome.overlapping()).isEmpty();
    assertThat(outcome.lost()).isZero();
  }

  private static void cut(World world, Place place, Random random) {
    String pod = pick(world, place.namespace(), "s", random);
    world.pods().cutNetwork(place.namespace(), pod);
    Pause.of(Duration.ofSeconds(20));
    world.pods().joinNetwork(place.namespace(), pod);
  }

  private static void kill(World world, String namespace, String part, Random random) {
    world.pods().killContainer(namespace, pick(world, namespace, part, random));
  }

  private static String pick(World world, String namespace, String part, Random random) {
    List<String> pods = world.runningPods(namespace, part);
    return pods.get(random.nextInt(pods.size()));
  }
}
