package dev.reprise.e2e.scenario;

import static dev.reprise.e2e.world.ProgramJournal.program;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("engines")
@Tag("smoke")
@ExtendWith(SharedWorld.class)
class DeletionTest {

  @ParameterizedTest
  @EnumSource(
      value = DeletionPropagation.class,
      names = {"BACKGROUND", "FOREGROUND"})
  void aDeletedStackIsDestroyedOnceAndLeavesNothing(DeletionPropagation how, World world) {
    Place place = world.place("delete-" + how.toString().toLowerCase(java.util.Locale.ROOT));
    StackHandle stack =
        place.apply(
            "site",
            place.repository(Map.of("up", program("exit 0"), "destroy", program("sleep 5"))),
            "");
    stack.awaitReady();

    stack.delete(how);

    stack.awaitGone();
    assertThat(place.journal("site").begun("destroy")).isEqualTo(1);
    assertThat(place.journal("site").ended("destroy")).isEqualTo(1);
    place.awaitNoWorkspaces();
  }
}
