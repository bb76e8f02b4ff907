package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.type.LogicalType;

/**
 * Turns the JSON of a spec into a {@link StackSpec}, as strictly as an API server with the
 * CustomResourceDefinition would.
 */
public final class SpecReader {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .withCoercionConfig(
              LogicalType.Textual,
              textual ->
                  textual
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private SpecReader() {}

  /**
   * Reads and checks a spec.
   *
   * @param spec the value of {@code spec}; a missing node when the object has none
   * @param namespace the Stack's own, the only one its references may name
   * @throws SpecInvalid for the first field that is wrong
   */
  public static StackSpec read(JsonNode spec, String namespace) throws SpecInvalid {
    if (!spec.isObject()) {
      String problem = spec.isMissingNode() || spec.isNull() ? "is missing" : "is " + kind(spec);
      throw new SpecInvalid("spec", problem, "give an object with at least spec.stack");
    }
    StackSpec read;
    try {
      read = MAPPER.treeToValue(spec, StackSpec.class);
    } catch (JacksonException e) {
      throw invalid(spec, e);
    }
    SpecRules.check(read, namespace);
    return read;
  }

  /**
   * Reads what can be read of a spec, for a destroy: one that has become invalid since the last
   * update must not keep resources alive. A field that is wrong counts as absent.
   *
   * @param spec the value of {@code spec}
   * @throws SpecInvalid when not even the Pulumi stack is named
   */
  public static StackSpec readLeniently(JsonNode spec) throws SpecInvalid {
    ObjectNode usable = MAPPER.createObjectNode();
    spec.forEachEntry(
        (name, value) -> {
          if (readable(MAPPER.createObjectNode().set(name, value))) {
            usable.set(name, value);
          }
        });
    StackSpec read = MAPPER.treeToValue(usable, StackSpec.class);
    if (read.stack().isEmpty()) {
      throw new SpecInvalid(
          "spec.stack", "is missing", "name the Pulumi stack, so that it can be destroyed");
    }
    return read;
  }

  private static boolean readable(JsonNode field) {
    try {
      MAPPER.treeToValue(field, StackSpec.class);
      return true;
    } catch (JacksonException e) {
      return false;
    }
  }

  // The cause is left out on purpose: Jackson's messages quote the value, which may be a secret.
  private static SpecInvalid invalid(JsonNode spec, JacksonException e) {
    StringBuilder path = new StringBuilder("spec");
    JsonNode value = spec;
    for (JacksonException.Reference step : e.getPath()) {
      String name = step.getPropertyName();
      if (name == null) {
        path.append('[').append(step.getIndex()).append(']');
        value = value.path(step.getIndex());
      } else {
        path.append(isMapAt(path) ? "[" + name + "]" : "." + name);
        value = value.path(name);
      }
    }
    if (e instanceof InvalidNullException) {
      return new SpecInvalid(path.toString(), "holds null", "give a value or leave it out");
    }
    if (e instanceof InvalidFormatException format && format.getTargetType().isEnum()) {
      String problem = value.isString() ? "is not one of the allowed values" : "is " + kind(value);
      return new SpecInvalid(path.toString(), problem, "use Retain or Delete");
    }
    return new SpecInvalid(path.toString(), "is " + kind(value), "give " + wanted(e));
  }

  private static boolean isMapAt(StringBuilder path) {
    return List.of("spec.configRef", "spec.secrets", "spec.secretsRef", "spec.envRefs")
        .contains(path.toString());
  }

  static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT, POJO -> "an object";
      case ARRAY -> "a list";
      case STRING, BINARY -> "a text";
      case NUMBER -> value.isIntegralNumber() ? "a whole number" : "a number with a fraction";
      case BOOLEAN -> "true or false";
      case NULL -> "null";
      case MISSING -> "missing";
    };
  }

  private static String wanted(JacksonException e) {
    if (!(e instanceof MismatchedInputException mismatch) || mismatch.getTargetType() == null) {
      return "a whole number of at most 64 bits";
    }
    Class<?> type = mismatch.getTargetType();
    if (type == String.class) {
      return "a text (put numbers, true and false in quotes)";
    }
    if (type == Long.class) {
      return "a whole number of at most 64 bits";
    }
    if (type == Boolean.class) {
      return "true or false, without quotes";
    }
    return List.class.isAssignableFrom(type) ? "a list" : "an object";
  }
}
