package dev.reprise.workflows.determinism;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.reprise.workflows.determinism.planted.PlantedWorkflow;
import org.junit.jupiter.api.Test;

class DeterminismTest {

  @Test
  void workflowCodeTouchesNothingThatReplayCannotRepeat() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.reprise.workflows");

    assertThat(DeterminismRules.workflowsIn(classes)).isEqualTo(1);
    assertThat(DeterminismRules.violations(classes)).isEmpty();
  }

  @Test
  void everyKindOfViolationIsFoundWherePlanted() {
    JavaClasses planted = new ClassFileImporter().importClasses(PlantedWorkflow.class);

    assertThat(DeterminismRules.violations(planted))
        .anyMatch(found -> found.contains("Instant.now"))
        .anyMatch(found -> found.contains("System.nanoTime"))
        .anyMatch(found -> found.contains("System.getenv"))
        .anyMatch(found -> found.contains("Thread.sleep"))
        .anyMatch(found -> found.contains("CompletableFuture.supplyAsync"))
        .anyMatch(found -> found.contains("UUID.randomUUID"))
        .anyMatch(found -> found.contains("Files.exists"))
        .anyMatch(found -> found.contains("Map.keySet"))
        .anyMatch(found -> found.contains("runs is static"));
  }
}
