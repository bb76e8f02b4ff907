package dev.reprise.stack.spec;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The rules of {@code workspaceTemplate} and {@code updateTemplate}, which are kept as JSON because
 * they are patches. Pods and services within them are checked by who makes those.
 */
final class TemplateRules {
  private static final String WORKSPACE = "spec.workspaceTemplate.";
  private static final String UPDATE = "spec.updateTemplate.";
  private static final List<String> OPERATIONS = List.of("up", "preview", "refresh", "destroy");
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

  private TemplateRules() {}

  /** What a field has to be, and what is wrong with one that is nearly that. */
  private enum Shape {
    TEXT("a text (put numbers, true and false in quotes)", ""),
    FLAG("true or false, without quotes", ""),
    COUNT("a whole number from 0 to " + Integer.MAX_VALUE, "is out of range"),
    TEXTS("a list of texts", "holds something else than texts"),
    OBJECT("an object", ""),
    OBJECTS("a list of objects", "holds something else than objects"),
    SECRET_KEY("an object with name and key of a Secret", "lacks its name or its key");

    private final String wanted;
    private final String nearly;

    Shape(String wanted, String nearly) {
      this.wanted = wanted;
      this.nearly = nearly;
    }

    boolean fits(JsonNode value) {
      return switch (this) {
        case TEXT -> value.isString();
        case FLAG -> value.isBoolean();
        case COUNT -> value.isIntegralNumber() && value.canConvertToInt() && value.asInt() >= 0;
        case TEXTS -> value.isArray() && value.valueStream().allMatch(JsonNode::isString);
        case OBJECT -> value.isObject();
        case OBJECTS -> value.isArray() && value.valueStream().allMatch(JsonNode::isObject);
        case SECRET_KEY -> filled(value.path("name")) && filled(value.path("key"));
      };
    }

    /** What is wrong with a value that does not fit. */
    String problem(JsonNode value) {
      String kind = SpecReader.kind(value);
      return wanted.startsWith(kind) ? nearly : "is " + kind;
    }

    private static boolean filled(JsonNode text) {
      return text.isString() && !text.asString("").isBlank();
    }
  }

  private record Field(String path, Shape shape) {}

  private static final List<Field> WORKSPACE_FIELDS =
      List.of(
          new Field("metadata", Shape.OBJECT),
          new Field("spec", Shape.OBJECT),
          new Field("spec.env", Shape.OBJECTS),
          new Field("spec.envFrom", Shape.OBJECTS),
          new Field("spec.flux", Shape.OBJECT),
          new Field("spec.flux.digest", Shape.TEXT),
          new Field("spec.flux.dir", Shape.TEXT),
          new Field("spec.flux.url", Shape.TEXT),
          new Field("spec.git", Shape.OBJECT),
          new Field("spec.git.auth", Shape.OBJECT),
          new Field("spec.git.auth.githubApp", Shape.OBJECT),
          new Field("spec.git.auth.githubApp.appID", Shape.SECRET_KEY),
          new Field("spec.git.auth.githubApp.installationID", Shape.SECRET_KEY),
          new Field("spec.git.auth.githubApp.privateKey", Shape.SECRET_KEY),
          new Field("spec.git.auth.password", Shape.SECRET_KEY),
          new Field("spec.git.auth.sshPrivateKey", Shape.SECRET_KEY),
          new Field("spec.git.auth.token", Shape.SECRET_KEY),
          new Field("spec.git.auth.username", Shape.SECRET_KEY),
          new Field("spec.git.dir", Shape.TEXT),
          new Field("spec.git.ref", Shape.TEXT),
          new Field("spec.git.shallow", Shape.FLAG),
          new Field("spec.git.url", Shape.TEXT),
          new Field("spec.image", Shape.TEXT),
          new Field("spec.imagePullPolicy", Shape.TEXT),
          new Field("spec.local", Shape.OBJECT),
          new Field("spec.local.dir", Shape.TEXT),
          new Field("spec.podTemplate", Shape.OBJECT),
          new Field("spec.pulumiLogLevel", Shape.COUNT),
          new Field("spec.resources", Shape.OBJECT),
          new Field("spec.securityProfile", Shape.TEXT),
          new Field("spec.serviceAccountName", Shape.TEXT),
          new Field("spec.serviceTemplate", Shape.OBJECT));

  private static final List<Field> UPDATE_FIELDS =
      List.of(
          new Field("spec", Shape.OBJECT),
          new Field("spec.continueOnError", Shape.FLAG),
          new Field("spec.expectNoChanges", Shape.FLAG),
          new Field("spec.message", Shape.TEXT),
          new Field("spec.parallel", Shape.COUNT),
          new Field("spec.refresh", Shape.FLAG),
          new Field("spec.remove", Shape.FLAG),
          new Field("spec.replace", Shape.TEXTS),
          new Field("spec.runProgram", Shape.FLAG),
          new Field("spec.target", Shape.TEXTS),
          new Field("spec.targetDependents", Shape.FLAG),
          new Field("spec.type", Shape.TEXT));

  /** Whether each field is of its kind. */
  static void shapes(StackSpec spec) throws SpecInvalid {
    JsonNode workspace = spec.workspaceTemplate();
    JsonNode update = spec.updateTemplate();
    shapes(WORKSPACE, workspace, WORKSPACE_FIELDS);
    shapes(UPDATE, update, UPDATE_FIELDS);
    oneOf(UPDATE + "spec.type", at(update, "spec.type"), OPERATIONS);
    oneOf(WORKSPACE + "spec.imagePullPolicy", at(workspace, "spec.imagePullPolicy"), PULL_POLICIES);
    if (!at(workspace, "spec.stacks").isEmpty()) {
      throw new SpecInvalid(
          WORKSPACE + "spec.stacks",
          "is not read",
          "give spec.stack, spec.config, spec.secretsRef and spec.environment instead");
    }
  }

  /** Whether a source that a workspace brings is complete. */
  static void sources(StackSpec spec) throws SpecInvalid {
    JsonNode workspace = spec.workspaceTemplate();
    parts("spec.git", workspace, List.of("url", "ref"));
    parts("spec.git.auth.githubApp", workspace, List.of("appID", "installationID", "privateKey"));
    parts("spec.flux", workspace, List.of("url"));
    parts("spec.local", workspace, List.of("dir"));
  }

  private static void shapes(String prefix, JsonNode template, List<Field> fields)
      throws SpecInvalid {
    for (Field field : fields) {
      JsonNode value = at(template, field.path());
      if (!absent(value) && !field.shape().fits(value)) {
        throw new SpecInvalid(
            prefix + field.path(), field.shape().problem(value), "give " + field.shape().wanted);
      }
    }
  }

  private static void parts(String path, JsonNode workspace, List<String> names)
      throws SpecInvalid {
    JsonNode group = at(workspace, path);
    for (String name : names) {
      JsonNode value = group.path(name);
      boolean missing = absent(value) || (value.isString() && value.asString("").isBlank());
      if (group.isObject() && missing) {
        throw new SpecInvalid(
            WORKSPACE + path + "." + name, "is missing", "give it, or leave the whole group out");
      }
    }
  }

  private static void oneOf(String path, JsonNode value, List<String> allowed) throws SpecInvalid {
    String text = value.asString("");
    if (!text.isEmpty() && !allowed.contains(text)) {
      throw new SpecInvalid(
          path, "is not one of the allowed values", "use " + String.join(", ", allowed));
    }
  }

  private static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  private static JsonNode at(JsonNode node, String path) {
    return node.at("/" + path.replace('.', '/'));
  }
}
