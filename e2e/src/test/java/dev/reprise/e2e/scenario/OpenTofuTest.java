package dev.reprise.e2e.scenario;

import static dev.reprise.e2e.world.ProgramJournal.program;
import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.e2e.world.Place;
import dev.reprise.e2e.world.SharedWorld;
import dev.reprise.e2e.world.StackHandle;
import dev.reprise.e2e.world.World;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engines")
@Tag("smoke")
@ExtendWith(SharedWorld.class)
class OpenTofuTest {
  private static final String COMMON =
      """
      set -e
      export CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1 TF_VAR_made=/journal/made
      tofu init -input=false
      """;

  @Test
  void openTofuAppliesGivesOutputsAndDestroys(World world) {
    Place place = world.place("tofu");
    StackHandle stack =
        place.apply(
            "thing",
            place.repository(
                Map.of(
                    "main.tf",
                    """
                    terraform {
                      backend "local" { path = "/journal/terraform.tfstate" }
                    }
                    variable "made" { type = string }
                    resource "terraform_data" "thing" {
                      input = var.made
                      provisioner "local-exec" { command = "touch ${self.input}" }
                      provisioner "local-exec" {
                        when    = destroy
                        command = "rm ${self.input}"
                      }
                    }
                    output "id" { value = terraform_data.thing.id }
                    """,
                    "up",
                    program(
                        COMMON
                            + """
                            tofu apply -input=false -auto-approve
                            echo "{\\"id\\": $(tofu output -json id)}" > "$REPRISE_OUTPUTS"
                            """),
                    "destroy",
                    program(COMMON + "tofu destroy -input=false -auto-approve\n"))),
            "");

    stack.awaitReady();
    assertThat(stack.status("outputs", "id")).isPresent();
    assertThat(place.journal("thing").folder().resolve("made")).exists();

    stack.delete(DeletionPropagation.FOREGROUND);
    stack.awaitGone();
    assertThat(Files.exists(place.journal("thing").folder().resolve("made"))).isFalse();
  }
}
