package dev.reprise.agent.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.reprise.agent.operation.OperationContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Engine events, one JSON object per line, as progress of an operation. */
final class PulumiEvents {
  private static final Logger log = LoggerFactory.getLogger(PulumiEvents.class);

  private final Masker masker;
  private final OperationContext context;

  PulumiEvents(Masker masker, OperationContext context) {
    this.masker = masker;
    this.context = context;
  }

  void line(String json) {
    JsonNode event;
    try {
      event = JsonValues.MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      log.debug("a line of the event log is no JSON");
      return;
    }
    if (!event.isObject()) {
      return;
    }
    if (event.has("resourcePreEvent")) {
      context.resourceStarted();
    } else if (event.has("resOutputsEvent")) {
      context.resourceDone();
    }
    context.event(masker.mask(JsonValues.toStruct(event)), masker.mask(summary(event)));
  }

  private static String summary(JsonNode event) {
    if (event.has("resourcePreEvent")) {
      return step(event.path("resourcePreEvent").path("metadata"), "");
    }
    if (event.has("resOutputsEvent")) {
      return step(event.path("resOutputsEvent").path("metadata"), " done");
    }
    if (event.has("resOpFailedEvent")) {
      return step(event.path("resOpFailedEvent").path("metadata"), " failed");
    }
    String message =
        event.path("diagnosticEvent").path("message").asText()
            + event.path("stdoutEvent").path("message").asText();
    return message.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse("");
  }

  private static String step(JsonNode metadata, String suffix) {
    return metadata.path("op").asText() + " " + metadata.path("urn").asText() + suffix;
  }
}
