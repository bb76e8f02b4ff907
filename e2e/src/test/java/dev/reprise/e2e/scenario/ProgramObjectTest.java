package dev.reprise.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engines")
@ExtendWith(SharedWorld.class)
class ProgramObjectTest {

  @Test
  void aProgramInTheClusterRunsAndItsChangeRunsAgain(World world) {
    Place place = world.place("program");
    place.stacks().apply(program("first"));
    StackHandle stack = place.applyProgram("greeting", "greeting");
    stack.awaitReady();
    assertThat(stack.status("outputs", "text")).contains("first");

    place.stacks().apply(program("second"));

    stack.await(
        "ready with the second text",
        object -> "second".equals(object.get("status", "outputs", "text")));
    stack.awaitReady();
  }

  private static String program(String text) {
    return """
    apiVersion: pulumi.com/v1
    kind: Program
    metadata: {name: greeting}
    program:
      outputs: {text: %s}
    """
        .formatted(text);
  }
}
