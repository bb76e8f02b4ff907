package dev.reprise.activities.workspace;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.reprise.activities.kube.ConfigValue;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.SetAllConfigRequest;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Configuration in the agent's terms. */
final class ConfigItems {
  private ConfigItems() {}

  static SetAllConfigRequest of(List<ConfigValue> config) {
    SetAllConfigRequest.Builder request = SetAllConfigRequest.newBuilder();
    for (ConfigValue item : config) {
      ConfigItem.Builder sent =
          ConfigItem.newBuilder().setKey(item.key()).setValue(value(item.value()));
      if (item.secret()) {
        sent.setSecret(true);
      }
      request.addConfig(sent);
    }
    return request.build();
  }

  private static Value value(JsonNode node) {
    Value.Builder value = Value.newBuilder();
    switch (node.getNodeType()) {
      case STRING, BINARY -> value.setStringValue(node.asString());
      case NUMBER -> value.setNumberValue(node.asDouble());
      case BOOLEAN -> value.setBoolValue(node.asBoolean());
      case ARRAY -> {
        ListValue.Builder list = ListValue.newBuilder();
        node.forEach(element -> list.addValues(value(element)));
        value.setListValue(list);
      }
      case OBJECT, POJO -> {
        Struct.Builder struct = Struct.newBuilder();
        node.forEachEntry((name, field) -> struct.putFields(name, value(field)));
        value.setStructValue(struct);
      }
      case NULL, MISSING -> value.setNullValue(NullValue.NULL_VALUE);
    }
    return value.build();
  }
}
