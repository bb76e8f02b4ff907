package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes statuses: absent fields are left out, never null, and times are RFC 3339 in UTC with whole
 * seconds, but for those that something is counted from.
 */
public final class StatusJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              include -> include.withValueInclusion(Include.NON_DEFAULT))
          .withConfigOverride(
              Instant.class,
              override ->
                  override.setInclude(
                      JsonInclude.Value.construct(Include.NON_EMPTY, Include.ALWAYS)))
          .addModule(new SimpleModule().addSerializer(Instant.class, new WholeSeconds()))
          .build();

  private StatusJson() {}

  /**
   * The whole status but {@code currentUpdate}, which is not Reprise's to write. The retry record
   * is part of it unless it is {@link RetryStatus#NONE}.
   */
  public static ObjectNode toJson(StackStatus status) {
    ObjectNode json = MAPPER.createObjectNode();
    if (!status.outputs().isEmpty()) {
      status.outputs().forEach(json.putObject("outputs")::set);
    }
    if (!status.lastUpdate().equals(LastUpdate.NONE)) {
      json.set("lastUpdate", MAPPER.valueToTree(status.lastUpdate()));
    }
    if (status.observedGeneration() != 0) {
      json.put("observedGeneration", status.observedGeneration());
    }
    if (!status.observedReconcileRequest().isEmpty()) {
      json.put("observedReconcileRequest", status.observedReconcileRequest());
    }
    if (!status.conditions().isEmpty()) {
      ArrayNode conditions = json.putArray("conditions");
      status.conditions().forEach(c -> conditions.add(MAPPER.<ObjectNode>valueToTree(c)));
    }
    if (!status.projectInfo().equals(ProjectInfo.NONE)) {
      json.set("projectInfo", MAPPER.valueToTree(status.projectInfo()));
    }
    if (!status.retry().equals(RetryStatus.NONE)) {
      json.set("retry", retry(status.retry()));
    }
    return json;
  }

  /** The retry record as the text of annotation {@value StatusReader#RETRY_STATE}. */
  public static String toAnnotation(RetryStatus retry) {
    return MAPPER.writeValueAsString(retry(retry));
  }

  private static ObjectNode retry(RetryStatus retry) {
    ObjectNode json = MAPPER.valueToTree(retry);
    if (retry.last().equals(RetryStatus.Attempt.NONE)) {
      json.remove("last");
    }
    if (retry.running().equals(RetryStatus.Attempt.NONE)) {
      json.remove("running");
    }
    if (retry.looked().equals(RetryStatus.Looked.NONE)) {
      json.remove("looked");
    }
    if (retry.request().equals(RetryStatus.Request.NONE)) {
      json.remove("request");
    }
    return json;
  }

  static final class WholeSeconds extends Times {
    WholeSeconds() {
      super(ChronoUnit.SECONDS);
    }
  }

  /** For a time that something is counted from. */
  static final class Milliseconds extends Times {
    Milliseconds() {
      super(ChronoUnit.MILLIS);
    }
  }

  abstract static class Times extends StdSerializer<Instant> {
    private final ChronoUnit precision;

    Times(ChronoUnit precision) {
      super(Instant.class);
      this.precision = precision;
    }

    @Override
    public void serialize(Instant time, JsonGenerator json, SerializationContext context) {
      json.writeString(time.truncatedTo(precision).toString());
    }

    @Override
    public boolean isEmpty(SerializationContext context, Instant time) {
      return time.equals(Absent.NO_TIME);
    }
  }
}
