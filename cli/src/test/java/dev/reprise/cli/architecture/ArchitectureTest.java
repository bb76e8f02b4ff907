package dev.reprise.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {
  private static final String PLANTED = "dev.reprise.cli.architecture.planted";
  private static final ArchitectureRules RULES = new ArchitectureRules("dev.reprise");
  private static final ArchitectureRules PLANTED_RULES = new ArchitectureRules(PLANTED);

  private JavaClasses classes = new ClassFileImporter().importClasses();
  private JavaClasses planted = classes;

  @BeforeAll
  void readByteCode() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.reprise");
    planted = new ClassFileImporter().importPackages(PLANTED);
  }

  static Stream<ArchRule> dependencies() {
    return RULES.dependencies();
  }

  @ParameterizedTest
  @MethodSource("dependencies")
  void modulesKnowOnlyWhomTheyMay(ArchRule rule) {
    rule.check(classes);
  }

  @Test
  void everyModuleIsLookedAt() {
    assertThat(Stream.concat(ArchitectureRules.modules(), Stream.of("cli")))
        .allSatisfy(
            module ->
                assertThat(classes.stream().map(type -> type.getPackageName() + "."))
                    .anyMatch(name -> name.startsWith("dev.reprise." + module + ".")));
  }

  @Test
  void noPackagesNeedEachOther() {
    RULES.noPackageCycles().check(classes);
  }

  @Test
  void nothingHasStaticState() {
    RULES.noStaticState().check(classes);
  }

  @Test
  void onlyCommandsWriteToStandardOutput() {
    RULES.onlyCommandsPrint().check(classes);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(RULES.unmarkedPackages(classes)).isEmpty();
  }

  @Test
  void noSourceFileIsLong() throws IOException {
    Path root = Path.of("..");
    for (String module : Stream.concat(ArchitectureRules.modules(), Stream.of("cli")).toList()) {
      Path sources = root.resolve(module).resolve("src/main");
      assertThat(sources).isDirectory();
      assertThat(ArchitectureRules.longSources(sources)).isEmpty();
    }
  }

  @Test
  void plantedDependenciesAreFound() {
    List<String> found =
        PLANTED_RULES
            .dependencies()
            .flatMap(rule -> rule.evaluate(planted).getFailureReport().getDetails().stream())
            .toList();

    assertThat(found)
        .anyMatch(line -> line.contains("PlantedWorkflow") && line.contains("KubernetesClient"))
        .anyMatch(line -> line.contains("PlantedActivity") && line.contains("PlantedWatch"))
        .anyMatch(line -> line.contains("PlantedWatch.activity"));
  }

  @Test
  void otherPlantedViolationsAreFound(@TempDir Path sources) throws IOException {
    assertThat(PLANTED_RULES.noPackageCycles().evaluate(planted).hasViolation()).isTrue();
    assertThat(PLANTED_RULES.noStaticState().evaluate(planted).hasViolation()).isTrue();
    assertThat(PLANTED_RULES.onlyCommandsPrint().evaluate(planted).hasViolation()).isTrue();
    assertThat(PLANTED_RULES.unmarkedPackages(planted)).containsExactly(PLANTED + ".watcher");

    Path tooLong = Files.writeString(sources.resolve("Long.java"), "//\n".repeat(301));
    Files.writeString(sources.resolve("Short.java"), "//\n".repeat(300));
    assertThat(ArchitectureRules.longSources(sources)).containsExactly(tooLong);
  }
}
