package dev.reprise.activities.workspace.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The objects of whole Stacks, as they would be shown by kubectl. What they must be like is tested
 * rule by rule elsewhere; here a change of anything is seen. After one that was meant, run with
 * {@code -Dworkspaces.golden=write} and read the difference.
 */
class GoldenObjectsTest {
  private static final Path FOLDER = Path.of("src/test/resources/workspaces");

  @ParameterizedTest
  @CsvSource({"minimal-git, false", "full, false", "flux, false", "local, false", "destroy, true"})
  void theObjectsOfAStackAreThoseInItsFile(String name, boolean destroy) throws Exception {
    Given given = Given.of(Files.readString(FOLDER.resolve(name + ".spec.yaml")));
    WorkspaceObjects objects = (destroy ? given.destroying() : given).objects();
    String yaml =
        Given.yaml(objects.service()) + System.lineSeparator() + Given.yaml(objects.statefulSet());
    Path golden = FOLDER.resolve(name + ".objects.yaml");
    if ("write".equals(System.getProperty("workspaces.golden"))) {
      Files.writeString(golden, yaml);
    }
    assertThat(yaml).isEqualTo(Files.readString(golden));
  }
}
