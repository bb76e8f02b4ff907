package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;

/** JSON between Jackson's and protobuf's trees; whole numbers stay whole numbers. */
final class JsonValues {
  static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double MAX_WHOLE = 1L << 53;

  private JsonValues() {}

  static JsonNode toJson(Value value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    return switch (value.getKindCase()) {
      case STRING_VALUE -> nodes.textNode(value.getStringValue());
      case BOOL_VALUE -> nodes.booleanNode(value.getBoolValue());
      case NUMBER_VALUE -> number(value.getNumberValue());
      case STRUCT_VALUE -> {
        ObjectNode object = nodes.objectNode();
        value.getStructValue().getFieldsMap().forEach((key, v) -> object.set(key, toJson(v)));
        yield object;
      }
      case LIST_VALUE -> {
        ArrayNode array = nodes.arrayNode();
        value.getListValue().getValuesList().forEach(v -> array.add(toJson(v)));
        yield array;
      }
      case NULL_VALUE, KIND_NOT_SET -> nodes.nullNode();
    };
  }

  private static JsonNode number(double number) {
    return number == Math.rint(number) && Math.abs(number) <= MAX_WHOLE
        ? JsonNodeFactory.instance.numberNode((long) number)
        : JsonNodeFactory.instance.numberNode(number);
  }

  static Struct toStruct(JsonNode object) {
    Struct.Builder struct = Struct.newBuilder();
    object
        .properties()
        .forEach(field -> struct.putFields(field.getKey(), toValue(field.getValue())));
    return struct.build();
  }

  private static Value toValue(JsonNode node) {
    Value.Builder value = Value.newBuilder();
    if (node.isObject()) {
      value.setStructValue(toStruct(node));
    } else if (node.isArray()) {
      ListValue.Builder list = ListValue.newBuilder();
      node.forEach(element -> list.addValues(toValue(element)));
      value.setListValue(list);
    } else if (node.isNumber()) {
      value.setNumberValue(node.doubleValue());
    } else if (node.isBoolean()) {
      value.setBoolValue(node.booleanValue());
    } else if (node.isNull()) {
      value.setNullValue(NullValue.NULL_VALUE);
    } else {
      value.setStringValue(node.asText());
    }
    return value.build();
  }
}
