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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engines")
@Tag("smoke")
@ExtendWith(SharedWorld.class)
class PreviewTest {

  @Test
  void aPreviewStackOnlyLooksAndIsReleasedWithoutADestroy(World world) {
    Place place = world.place("preview");
    StackHandle stack =
        place.apply(
            "site",
            place.repository(
                Map.of(
                    "up", program("exit 0"),
                    "preview", program("exit 0"),
                    "destroy", program("exit 0"))),
            "preview: true\n");
    stack.awaitReady();

    stack.delete(DeletionPropagation.BACKGROUND);
    stack.awaitGone();

    assertThat(place.journal("site").begun("preview")).isEqualTo(1);
    assertThat(place.journal("site").begun("up")).isZero();
    assertThat(place.journal("site").begun("destroy")).isZero();
  }
}
