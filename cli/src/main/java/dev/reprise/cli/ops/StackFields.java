package dev.reprise.cli.ops;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.reprise.workflows.activity.LogKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Ends a line of text with the Stack and run it is about, where it is about one. */
final class StackFields extends ClassicConverter {
  private static final Map<String, String> SHOWN = shown();

  private static Map<String, String> shown() {
    Map<String, String> shown = new LinkedHashMap<>();
    shown.put(LogKeys.STACK, "stack");
    shown.put(LogKeys.GENERATION, "generation");
    shown.put(LogKeys.ATTEMPT, "attempt");
    // The SDK's own names for the run.
    shown.put("WorkflowId", "workflow");
    shown.put("RunId", "run");
    return shown;
  }

  @Override
  public String convert(ILoggingEvent event) {
    Map<String, String> fields = event.getMDCPropertyMap();
    String text =
        SHOWN.entrySet().stream()
            .filter(shown -> fields.containsKey(shown.getKey()))
            .map(shown -> shown.getValue() + "=" + fields.get(shown.getKey()))
            .collect(Collectors.joining(" "));
    return text.isEmpty() ? "" : " [" + text + "]";
  }
}
