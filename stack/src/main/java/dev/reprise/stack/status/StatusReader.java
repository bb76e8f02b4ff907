package dev.reprise.stack.status;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a status part by part. A part that cannot be read counts as absent: others keep their
 * worth, and nothing is lost.
 */
public final class StatusReader {
  /** The annotation that holds the retry record as JSON where the status cannot. */
  public static final String RETRY_STATE = "reprise.dev/retry-state";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private StatusReader() {}

  /**
   * Reads a status; never fails.
   *
   * @param status the value of {@code status}; a missing node when the object has none
   * @param annotations the object's annotations
   */
  public static StackStatus read(JsonNode status, Map<String, String> annotations) {
    return new StackStatus(
        outputs(status.path("outputs")),
        part(status.path("lastUpdate"), LastUpdate.class, LastUpdate.NONE),
        part(status.path("currentUpdate"), CurrentUpdate.class, CurrentUpdate.NONE),
        status.path("observedGeneration").asLong(0),
        status.path("observedReconcileRequest").asString(""),
        conditions(status.path("conditions")),
        part(status.path("projectInfo"), ProjectInfo.class, ProjectInfo.NONE),
        retry(status.path("retry"), annotations.get(RETRY_STATE)));
  }

  private static RetryStatus retry(JsonNode field, @Nullable String annotation) {
    RetryStatus read = part(field, RetryStatus.class, RetryStatus.NONE);
    if (!read.equals(RetryStatus.NONE) || annotation == null) {
      return read;
    }
    try {
      return part(MAPPER.readTree(annotation), RetryStatus.class, RetryStatus.NONE);
    } catch (JacksonException e) {
      return RetryStatus.NONE;
    }
  }

  private static Map<String, JsonNode> outputs(JsonNode node) {
    Map<String, JsonNode> outputs = new LinkedHashMap<>();
    node.propertyStream().forEach(output -> outputs.put(output.getKey(), output.getValue()));
    return outputs;
  }

  private static List<Condition> conditions(JsonNode node) {
    List<Condition> conditions = new ArrayList<>();
    Condition none = new Condition("", "", "", "", 0L, StackStatus.NO_TIME);
    for (JsonNode element : node) {
      Condition condition = part(element, Condition.class, none);
      if (!condition.type().isEmpty()) {
        conditions.add(condition);
      }
    }
    return conditions;
  }

  private static <T> T part(JsonNode node, Class<T> type, T absent) {
    if (!node.isObject()) {
      return absent;
    }
    try {
      return MAPPER.treeToValue(node, type);
    } catch (JacksonException e) {
      return absent;
    }
  }
}
