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
class PrerequisiteTest {

  @Test
  void aChainRunsInItsOrderOnceItsFirstMemberIsMended(World world) {
    Place place = world.place("chain");
    GitRepository base =
        place.repository(Map.of("up", program("exit 1"), "destroy", program("exit 0")));
    GitRepository others =
        place.repository(Map.of("up", program("exit 0"), "destroy", program("exit 0")));
    StackHandle top = place.apply("top", others, "prerequisites: [{name: middle}]\n");
    StackHandle middle = place.apply("middle", others, "prerequisites: [{name: base}]\n");
    StackHandle first = place.apply("base", base, "");
    first.awaitFailures(2);
    middle.awaitReason("Reconciling", "PrerequisiteNotSatisfied");
    top.awaitReason("Reconciling", "PrerequisiteNotSatisfied");
    assertThat(middle.status("lastUpdate")).isEmpty();

    base.commit(Map.of("up", program("exit 0")));

    top.awaitReady();
    assertThat(first.condition("Ready").orElse("")).startsWith("Ready=True");
    assertThat(middle.condition("Ready").orElse("")).startsWith("Ready=True");
  }
}
