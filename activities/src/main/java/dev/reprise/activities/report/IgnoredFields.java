package dev.reprise.activities.report;

import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.IgnoredField;
import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells whoever wrote a manifest which of its fields have no effect, and why. */
final class IgnoredFields {
  static final String REASON = "StackFieldHasNoEffect";

  private IgnoredFields() {}

  /**
   * One event for all such fields; none for an object that is of another generation by now, whose
   * own first report will tell.
   *
   * @param generation the generation reported on; 0 = none yet
   */
  static Optional<StackEvent> event(GenericKubernetesResource resource, long generation) {
    List<IgnoredField> fields = StackReader.ignoredFields(resource);
    if (fields.isEmpty() || StackReader.identity(resource).generation() != generation) {
      return Optional.empty();
    }
    String message =
        fields.stream()
            .map(field -> field.path() + " has no effect: " + field.reason())
            .collect(Collectors.joining("; "));
    return Optional.of(new StackEvent(false, REASON, message));
  }
}
