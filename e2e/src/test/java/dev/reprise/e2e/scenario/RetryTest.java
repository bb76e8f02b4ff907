package dev.reprise.e2e.scenario;

import static dev.reprise.e2e.world.ProgramJournal.program;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.browser.WebUi;
import dev.reprise.e2e.engine.DevTemporal;
import dev.reprise.e2e.world.GitRepository;
import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engines")
@ExtendWith(SharedWorld.class)
class RetryTest {
  private static final String LONG_COOLDOWN = "retry: {initialBackoffSeconds: 3600}\n";

  @Test
  @Tag("smoke")
  void aFailingPulumiProgramCoolsDownAndACommitMendsIt(World world) {
    Place place = world.place("mend");
    GitRepository program =
        place.repository(Map.of("Pulumi.yaml", yaml("${nothing}"), "Pulumi.dev.yaml", "{}"));
    StackHandle stack = place.apply("site", program, "");

    stack.awaitFailures(2);
    assertThat(stack.condition("Ready").orElse("")).startsWith("Ready=False");
    assertThat(stack.condition("Reconciling").orElse("")).startsWith("Reconciling=True");

    program.commit(Map.of("Pulumi.yaml", yaml("mended")));

    stack.awaitReady();
    assertThat(stack.failures()).isZero();
    assertThat(stack.status("outputs", "text")).contains("mended");
  }

  private static String yaml(String text) {
    return "name: site\nruntime: yaml\noutputs:\n  text: " + text + "\n";
  }

  @Test
  void anAnnotationOrTheCommandEndsACooldown(World world) {
    Place place = world.place("force");
    StackHandle stack = inALongCooldown(place);

    world.cli().run("retry", "site", "-n", place.namespace());
    stack.awaitFailures(2);
    stack.annotate("pulumi.com/reconciliation-request", "again");
    awaitBegun(place, 3);

    assertThat(place.journal("site").doubled()).isEmpty();
    assertThat(place.journal("site").overlapping(Set.of())).isEmpty();
  }

  @Test
  void aSignalFromTheWebUiEndsACooldown(World world) {
    Place place = world.place("signal");
    StackHandle stack = inALongCooldown(place);

    try (WebUi ui = new WebUi(((DevTemporal) world.temporal()).webUi())) {
      ui.openRun(place.namespace(), "site");
      ui.sendSignal("retryNow", "{\"resetFailures\": false, \"reason\": \"quota raised\"}");
      stack.awaitFailures(2);
    }

    assertThat(place.journal("site").begun("up")).isEqualTo(2);
  }

  private static StackHandle inALongCooldown(Place place) {
    return place
        .apply(
            "site",
            place.repository(Map.of("up", program("exit 1"), "destroy", program("exit 0"))),
            LONG_COOLDOWN)
        .awaitFailures(1);
  }

  private static void awaitBegun(Place place, int times) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> place.journal("site").ended("up") >= times);
  }
}
