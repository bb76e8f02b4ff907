package dev.reprise.dev.kube;

import dev.reprise.dev.kube.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks a custom resource against its structural schema. Of the CEL rules only a limit on the
 * length of the name is understood; {@code anyOf} and its like are not.
 */
final class SchemaValidator {
  private static final Pattern NAME_LIMIT =
      Pattern.compile("size\\(self\\.metadata\\.name\\)\\s*<=\\s*(\\d+)");

  private final List<Cause> causes = new ArrayList<>();

  private SchemaValidator() {}

  /** Answers everything that is wrong, in the order of the object. */
  static List<Cause> check(ObjectNode object, Structure.Schema schema) {
    SchemaValidator validator = new SchemaValidator();
    validator.checkName(object, schema);
    object.forEachEntry(
        (name, value) -> {
          if (!List.of("apiVersion", "kind", "metadata").contains(name)) {
            validator.check(name, value, schema.field(name));
          }
        });
    validator.checkRequired("", object, schema.node());
    return validator.causes;
  }

  private void checkName(ObjectNode object, Structure.Schema schema) {
    for (JsonNode rule : schema.node().path("x-kubernetes-validations")) {
      Matcher limit = NAME_LIMIT.matcher(Json.text(rule, "rule"));
      if (limit.find() && Meta.name(object).length() > Integer.parseInt(limit.group(1))) {
        String message = Json.text(rule, "message");
        invalid(
            "metadata.name",
            message.isEmpty() ? "failed rule: " + Json.text(rule, "rule") : message);
      }
    }
  }

  private void check(String path, JsonNode value, Structure.Schema schema) {
    JsonNode node = schema.node();
    if (value.isNull() && node.path("nullable").asBoolean(false)) {
      return;
    }
    String wanted = Json.text(node, "type");
    if (!hasType(value, wanted, node)) {
      String given = typeName(value);
      invalid(
          path,
          "Invalid value: \"%s\": %s in body must be of type %s"
              .formatted(given, path, wanted.isEmpty() ? "integer or string" : wanted));
      return;
    }
    checkEnum(path, value, node);
    if (value.isString()) {
      checkText(path, value.asString(""), node);
    } else if (value.isNumber()) {
      checkNumber(path, value, node);
    } else if (value instanceof ArrayNode list) {
      checkSize(path, list.size(), node, "Items", "items");
      for (int i = 0; i < list.size(); i++) {
        check(path + "[" + i + "]", list.path(i), schema.items());
      }
    } else if (value instanceof ObjectNode object) {
      checkSize(path, object.size(), node, "Properties", "properties");
      checkRequired(path + ".", object, node);
      object.forEachEntry((name, child) -> check(path + "." + name, child, schema.field(name)));
    }
  }

  private static boolean hasType(JsonNode value, String type, JsonNode schema) {
    if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
      return value.isIntegralNumber() || value.isString();
    }
    return switch (type) {
      case "string" -> value.isString();
      case "boolean" -> value.isBoolean();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> true;
    };
  }

  private static String typeName(JsonNode value) {
    return value.isIntegralNumber()
        ? "integer"
        : value.getNodeType().name().toLowerCase(Locale.ROOT);
  }

  private void checkRequired(String prefix, ObjectNode object, JsonNode schema) {
    for (JsonNode name : schema.path("required")) {
      if (!object.has(name.asString(""))) {
        causes.add(new Cause("FieldValueRequired", prefix + name.asString(""), "Required value"));
      }
    }
  }

  private void checkEnum(String path, JsonNode value, JsonNode schema) {
    JsonNode allowed = schema.path("enum");
    if (!allowed.isMissingNode() && allowed.valueStream().noneMatch(value::equals)) {
      String supported = String.join(", ", allowed.valueStream().map(Json::write).toList());
      causes.add(
          new Cause(
              "FieldValueNotSupported",
              path,
              "Unsupported value: %s: supported values: %s"
                  .formatted(Json.write(value), supported)));
    }
  }

  private void checkText(String path, String text, JsonNode schema) {
    int length = text.codePointCount(0, text.length());
    checkSize(path, length, schema, "Length", "chars long");
    String pattern = Json.text(schema, "pattern");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(text).find()) {
      invalid(
          path,
          "Invalid value: \"%s\": %s in body should match '%s'".formatted(text, path, pattern));
    }
  }

  private void checkNumber(String path, JsonNode value, JsonNode schema) {
    double number = value.asDouble();
    double least = schema.path("minimum").asDouble(Double.NEGATIVE_INFINITY);
    double most = schema.path("maximum").asDouble(Double.POSITIVE_INFINITY);
    boolean aboveLeast = schema.path("exclusiveMinimum").asBoolean(false);
    boolean belowMost = schema.path("exclusiveMaximum").asBoolean(false);
    if (number < least || (aboveLeast && number == least)) {
      invalid(
          path,
          "Invalid value: %s: %s in body should be greater than %s%s"
              .formatted(value, path, aboveLeast ? "" : "or equal to ", schema.path("minimum")));
    }
    if (number > most || (belowMost && number == most)) {
      invalid(
          path,
          "Invalid value: %s: %s in body should be less than %s%s"
              .formatted(value, path, belowMost ? "" : "or equal to ", schema.path("maximum")));
    }
  }

  private void checkSize(String path, int size, JsonNode schema, String keyword, String unit) {
    int least = schema.path("min" + keyword).asInt(0);
    int most = schema.path("max" + keyword).asInt(Integer.MAX_VALUE);
    if (size < least) {
      invalid(
          path, "Invalid value: %s in body should be at least %d %s".formatted(path, least, unit));
    }
    if (size > most) {
      invalid(path, "Too long: %s in body may be at most %d %s".formatted(path, most, unit));
    }
  }

  private void invalid(String path, String message) {
    causes.add(new Cause("FieldValueInvalid", path, message));
  }
}
