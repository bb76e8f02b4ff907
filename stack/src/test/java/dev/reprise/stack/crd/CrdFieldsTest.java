package dev.reprise.stack.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.stack.status.StackStatus;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The definitions declare the compatible fields and Reprise's own, and no others. */
class CrdFieldsTest {
  private static final String YEAR = "integer (int64) min 1, max 31536000";
  private static final String COUNT = "integer (int64) min 1, max 1000000";

  /** What Reprise adds to a spec; what it adds to the status are its records. */
  private static final Map<String, String> OURS =
      Map.of(
          "spec.operation",
          "object",
          "spec.operation.idleTimeoutSeconds",
          "integer (int64) min 0, max 31536000",
          "spec.operation.timeoutSeconds",
          YEAR,
          "spec.prerequisites[].requirement.sameRevision",
          "boolean",
          "spec.retry",
          "object",
          "spec.retry.failureLimit",
          COUNT,
          "spec.retry.initialBackoffSeconds",
          YEAR,
          "spec.retry.stalledAfter",
          COUNT);

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void theStacksFieldsAreTheCompatibleOnesAndOursInBothVersions(int version) {
    SortedMap<String, String> expected = CompatibleFields.of("Stack");
    expected.putAll(OURS);
    expected.putAll(written("status.retry", "retry"));

    assertThat(SchemaFields.of(Crds.stack().getSpec().getVersions().get(version)))
        .containsExactlyEntriesOf(expected);
  }

  @Test
  void theProgramsFieldsAreTheCompatibleOnes() {
    assertThat(SchemaFields.of(Crds.program().getSpec().getVersions().getFirst()))
        .containsExactlyEntriesOf(CompatibleFields.of("Program"));
  }

  @Test
  void nothingThatIsWrittenToAStatusIsUndeclared() {
    SortedMap<String, String> declared = SchemaFields.of(stored(Crds.stack()));
    declared.replaceAll((path, words) -> words.replaceAll(" (required|min|enum).*", ""));
    SortedMap<String, String> written = new TreeMap<>();
    for (RecordComponent part : StackStatus.class.getRecordComponents()) {
      written.putAll(written("status." + part.getName(), part.getName()));
    }

    assertThat(written).hasSizeGreaterThan(60);
    assertThat(declared).containsAllEntriesOf(written);
  }

  @Test
  void everyFieldIsDescribed() {
    for (CustomResourceDefinition definition : List.of(Crds.stack(), Crds.program())) {
      SchemaFields.walk(
          stored(definition),
          (path, schema) -> {
            if (!path.equals("metadata")) {
              assertThat(schema.getDescription()).as(path).isNotBlank();
            }
          });
    }
  }

  @Test
  void nothingIsFilledInThatAManifestLeavesOut() {
    SchemaFields.walk(
        stored(Crds.stack()), (path, schema) -> assertThat(schema.getDefault()).as(path).isNull());
  }

  private static CustomResourceDefinitionVersion stored(CustomResourceDefinition definition) {
    return definition.getSpec().getVersions().getFirst();
  }

  /** The fields below one part of a status, as its records have them. */
  private static SortedMap<String, String> written(String path, String part) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (RecordComponent component : StackStatus.class.getRecordComponents()) {
      if (component.getName().equals(part)) {
        add(path, component, fields);
      }
    }
    return fields;
  }

  private static void add(
      String path, RecordComponent component, SortedMap<String, String> fields) {
    Class<?> type = component.getType();
    fields.put(path, words(component));
    if (type == List.class) {
      below(path + "[]", dev.reprise.stack.status.Condition.class, fields);
    } else if (type.isRecord()) {
      below(path, type, fields);
    }
  }

  private static void below(String path, Class<?> type, SortedMap<String, String> fields) {
    for (RecordComponent component : type.getRecordComponents()) {
      add(path + "." + component.getName(), component, fields);
    }
  }

  private static String words(RecordComponent component) {
    Class<?> type = component.getType();
    if (type == Map.class) {
      return "map of any";
    }
    if (type == List.class) {
      return "list of object";
    }
    if (type.isRecord()) {
      return "object";
    }
    if (type == String.class) {
      return "string";
    }
    if (type == Boolean.class) {
      return "boolean";
    }
    assertThat(type).as(component.getName()).isIn(Long.class, long.class, Instant.class);
    return type == Instant.class ? "string (date-time)" : "integer (int64)";
  }
}
