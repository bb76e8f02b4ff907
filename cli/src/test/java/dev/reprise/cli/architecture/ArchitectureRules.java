package dev.reprise.cli.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The rules of the house.
 *
 * @param base the package that has one package per module
 */
record ArchitectureRules(String base) {
  private static final int MOST_LINES = 300;

  /**
   * A module and what it may know.
   *
   * @param name also the name of its package
   * @param knows our other modules or packages that it may use
   * @param never packages of others that it must not use
   */
  private record Module(String name, Set<String> knows, List<String> never) {}

  private static final List<Module> MODULES =
      List.of(
          new Module("proto", Set.of(), List.of("io.temporal..", "io.fabric8..")),
          new Module("stack", Set.of(), List.of("io.temporal..", "io.grpc..", "picocli..")),
          new Module(
              "workflows",
              Set.of(),
              List.of(
                  "io.fabric8..",
                  "io.grpc..",
                  "com.google.protobuf..",
                  "tools.jackson..",
                  "com.fasterxml..",
                  "java.nio.file..",
                  "picocli..")),
          new Module(
              "activities",
              Set.of(
                  "proto",
                  "stack",
                  "workflows.activity",
                  "workflows.condition",
                  "workflows.decision"),
              List.of("io.temporal.workflow..", "picocli..")),
          new Module(
              "watcher",
              Set.of("stack", "workflows.activity", "workflows.workflow"),
              List.of("io.grpc..", "com.google.protobuf..", "io.temporal.workflow..", "picocli..")),
          new Module("agent", Set.of("proto"), List.of("io.fabric8..", "io.temporal..")),
          new Module(
              "dev",
              Set.of("proto", "stack", "workflows", "activities", "watcher", "agent"),
              List.of("picocli..")));

  /** Names of all modules below {@link #base} but the one that puts them together. */
  static Stream<String> modules() {
    return MODULES.stream().map(Module::name);
  }

  /** Each line of the table who may know whom. */
  Stream<ArchRule> dependencies() {
    return MODULES.stream().flatMap(module -> Stream.of(onlyKnown(module), noneOfOthers(module)));
  }

  private ArchRule onlyKnown(Module module) {
    String[] allowed =
        Stream.concat(Stream.of(module.name()), module.knows().stream())
            .map(name -> base + "." + name + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(base + "." + module.name() + "..")
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage(base + "..")
                .and(JavaClass.Predicates.resideOutsideOfPackages(allowed)))
        .allowEmptyShould(true);
  }

  private ArchRule noneOfOthers(Module module) {
    return noClasses()
        .that()
        .resideInAPackage(base + "." + module.name() + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(module.never().toArray(String[]::new))
        .allowEmptyShould(true);
  }

  /** Packages that need each other are one package. */
  ArchRule noPackageCycles() {
    return slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith(base)
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "packages below " + base;
              }
            })
        .should()
        .beFreeOfCycles();
  }

  ArchRule noStaticState() {
    return noFields()
        .that()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackage(base + ".proto..")
        .and()
        .areStatic()
        .should()
        .notBeFinal();
  }

  ArchRule onlyCommandsPrint() {
    return noClasses()
        .that()
        .resideOutsideOfPackage("dev.reprise.cli")
        .should()
        .accessField(System.class, "out");
  }

  /** Packages whose code may be null without saying so; generated ones are not ours to mark. */
  Set<String> unmarkedPackages(JavaClasses classes) {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass type : classes) {
      JavaPackage itsPackage = type.getPackage();
      boolean generated = type.getPackageName().startsWith(base + ".proto");
      if (!generated && !itsPackage.isAnnotatedWith(NullMarked.class)) {
        unmarked.add(itsPackage.getName());
      }
    }
    return unmarked;
  }

  /** Source files that are too long to be about one thing. */
  static List<Path> longSources(Path folder) throws IOException {
    try (Stream<Path> sources =
        Files.find(folder, 32, (path, a) -> path.toString().endsWith(".java"))) {
      return sources.filter(ArchitectureRules::tooLong).toList();
    }
  }

  private static boolean tooLong(Path source) {
    try (Stream<String> lines = Files.lines(source)) {
      return lines.count() > MOST_LINES;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
