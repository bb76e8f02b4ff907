package dev.reprise.stack.spec;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The annotation {@value #NAME}: the requirement {@code sameRevision} for all prerequisites of a
 * Stack, where the installed CustomResourceDefinition does not know that field and would drop it. A
 * prerequisite that has the field keeps its own.
 */
public final class SameRevisionAnnotation {
  /** Its name. */
  public static final String NAME = "reprise.dev/prerequisites.sameRevision";

  private static final String FIELD = "sameRevision";

  private SameRevisionAnnotation() {}

  /**
   * The spec as if every prerequisite without the field had it. What is no list of objects is left
   * for the reader to refuse.
   *
   * @param spec the value of {@code spec}; not changed
   * @param annotations the Stack's {@code metadata.annotations}
   * @throws SpecInvalid when the annotation is neither true nor false
   */
  public static JsonNode into(JsonNode spec, Map<String, String> annotations) throws SpecInvalid {
    String value = annotations.get(NAME);
    if (value == null) {
      return spec;
    }
    boolean wanted =
        switch (value.strip()) {
          case "true" -> true;
          case "false" -> false;
          default ->
              throw new SpecInvalid(
                  "metadata.annotations[" + NAME + "]",
                  "is neither true nor false",
                  "give \"true\" or \"false\", or remove it");
        };
    JsonNode copy = spec.deepCopy();
    if (wanted) {
      copy.path("prerequisites").forEach(SameRevisionAnnotation::require);
    }
    return copy;
  }

  private static void require(JsonNode prerequisite) {
    if (!(prerequisite instanceof ObjectNode object)) {
      return;
    }
    JsonNode requirement = object.path("requirement");
    if (requirement.isMissingNode() || requirement.isNull()) {
      requirement = JsonNodeFactory.instance.objectNode();
      object.set("requirement", requirement);
    }
    if (requirement instanceof ObjectNode fields && !fields.hasNonNull(FIELD)) {
      fields.put(FIELD, true);
    }
  }
}
