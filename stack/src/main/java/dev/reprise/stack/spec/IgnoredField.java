package dev.reprise.stack.spec;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A field that a manifest gives and that has no effect, because it belongs to something Reprise
 * does not have or does otherwise.
 *
 * @param path the field, as in {@code spec.retryOnUpdateConflict}
 * @param reason why, in one line that does not quote the value
 */
public record IgnoredField(String path, String reason) {
  private static final String NOT_WITHOUT_GIT =
      "it belongs to spec.projectRepo, which is not given";

  /** Every field that never has an effect. */
  private static final List<IgnoredField> ALWAYS =
      List.of(
          new IgnoredField(
              "spec.expectNoRefreshChanges",
              "no operator reads it; give spec.updateTemplate.spec.expectNoChanges"),
          new IgnoredField(
              "spec.retryOnUpdateConflict", "an update conflict is always waited for and retried"),
          new IgnoredField("spec.updateTemplate.metadata", "no Update object is made"),
          new IgnoredField("spec.updateTemplate.spec.stackName", "spec.stack names the stack"),
          new IgnoredField(
              "spec.updateTemplate.spec.ttlAfterCompleted",
              "the results of the last success and of the last attempt are kept, older ones are"
                  + " deleted"),
          new IgnoredField(
              "spec.updateTemplate.spec.workspaceName", "a Stack has one workspace of its own"),
          new IgnoredField("spec.updateTemplate.status", "a status is never an input"),
          new IgnoredField(
              "spec.workspaceTemplate.spec.projectInfo",
              "the project is known from the source or from the last operation"),
          new IgnoredField("spec.workspaceTemplate.status", "a status is never an input"));

  private static final List<String> GIT =
      List.of("branch", "commit", "gitAuth", "gitAuthSecret", "repoDir", "shallow");

  /** The paths that never have an effect. */
  static List<String> always() {
    return ALWAYS.stream().map(IgnoredField::path).toList();
  }

  /**
   * The fields without effect that a spec gives. False, an empty text and an empty object ask for
   * nothing and are not told.
   *
   * @param spec the value of {@code spec}
   */
  public static List<IgnoredField> of(JsonNode spec) {
    List<IgnoredField> given = new ArrayList<>();
    for (IgnoredField field : ALWAYS) {
      if (asks(spec.at(field.path().substring("spec".length()).replace('.', '/')))) {
        given.add(field);
      }
    }
    if (!asks(spec.path("projectRepo"))) {
      for (String name : GIT) {
        if (asks(spec.path(name))) {
          given.add(new IgnoredField("spec." + name, NOT_WITHOUT_GIT));
        }
      }
    }
    if (asks(spec.path("targetDependents"))
        && !asks(spec.path("targets"))
        && !asks(spec.at("/updateTemplate/spec/target"))) {
      given.add(new IgnoredField("spec.targetDependents", "there are no targets"));
    }
    return given;
  }

  private static boolean asks(JsonNode value) {
    return switch (value.getNodeType()) {
      case MISSING, NULL -> false;
      case BOOLEAN -> value.asBoolean();
      case STRING -> !value.asString("").isEmpty();
      case OBJECT, ARRAY -> !value.isEmpty();
      case NUMBER, BINARY, POJO -> true;
    };
  }
}
