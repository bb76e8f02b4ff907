package dev.reprise.workflows.determinism;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.temporal.workflow.WorkflowInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What workflow code must not touch outside the SDK, read from its bytecode: clocks, threads,
 * executors, randomness, I/O, the environment, static mutable state, and collections whose
 * iteration order is not defined. Temporal's own checker is not published as an artifact.
 */
final class DeterminismRules {
  private static final List<String> FORBIDDEN_PACKAGES =
      List.of("java.io.", "java.nio.", "java.net.", "java.util.concurrent.", "java.sql.");

  /** Types that bytecode of harmless Java names: string switches, records, exceptions, lambdas. */
  private static final Set<String> HARMLESS =
      Set.of(
          "java.io.Serializable", "java.nio.charset.Charset", "java.nio.charset.StandardCharsets");

  private static final Set<String> FORBIDDEN_TYPES =
      Set.of(
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.Runtime",
          "java.util.Random",
          "java.util.Timer",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.IdentityHashMap",
          "java.util.WeakHashMap",
          "java.util.Map",
          "java.util.Set",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.security.SecureRandom");

  private static final Map<String, Set<String>> FORBIDDEN_METHODS =
      Map.of(
          "java.lang.System", Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty"),
          "java.lang.Math", Set.of("random"),
          "java.lang.Object", Set.of("wait", "notify", "notifyAll"),
          "java.util.UUID", Set.of("randomUUID"),
          "java.util.Collections", Set.of("shuffle"));

  private DeterminismRules() {}

  /** Every place that breaks a rule, one line each. */
  static List<String> violations(JavaClasses classes) {
    List<String> found = new ArrayList<>();
    for (JavaClass type : classes) {
      for (JavaAccess<?> access : type.getAccessesFromSelf()) {
        if (forbidden(access.getTarget())) {
          found.add(access.getDescription());
        }
      }
      for (JavaField field : type.getFields()) {
        boolean shared = field.getModifiers().contains(JavaModifier.STATIC);
        if (shared && !field.getModifiers().contains(JavaModifier.FINAL)) {
          found.add(field.getFullName() + " is static and not final");
        }
      }
    }
    return found;
  }

  /** How many workflow implementations were looked at: a check that saw none proves nothing. */
  static long workflowsIn(JavaClasses classes) {
    return classes.stream()
        .filter(type -> !type.isInterface())
        .filter(
            type ->
                type.getAllRawInterfaces().stream()
                    .anyMatch(contract -> contract.isAnnotatedWith(WorkflowInterface.class)))
        .count();
  }

  private static boolean forbidden(AccessTarget target) {
    String owner = target.getOwner().getName();
    if (HARMLESS.contains(owner)) {
      return false;
    }
    return FORBIDDEN_PACKAGES.stream().anyMatch(owner::startsWith)
        || FORBIDDEN_TYPES.contains(owner)
        || FORBIDDEN_METHODS.getOrDefault(owner, Set.of()).contains(target.getName())
        || (owner.startsWith("java.time.") && target.getName().equals("now"));
  }
}
