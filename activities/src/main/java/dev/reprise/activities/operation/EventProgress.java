package dev.reprise.activities.operation;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.reprise.activities.kube.Texts;
import dev.reprise.workflows.activity.OperationActivity.Progress;

/**
 * Condenses Pulumi's engine events into what a pending activity shows: counts and the resource
 * worked on. What the program prints is left out, since heartbeats are kept by Temporal.
 */
final class EventProgress {
  private static final int LONGEST_LINE = 200;

  private final String operationId;
  private long events;
  private int started;
  private int done;
  private String lastLine = "";

  EventProgress(String operationId) {
    this.operationId = operationId;
  }

  /** Takes over what an agent counted before this stream. */
  void adopt(dev.reprise.proto.operation.Progress seen) {
    events = seen.getEvents();
    started = seen.getResourcesStarted();
    done = seen.getResourcesDone();
  }

  void event(Struct event) {
    events++;
    if (event.containsFields("resourcePreEvent")) {
      started++;
      show(resource(event, "resourcePreEvent", ""));
    } else if (event.containsFields("resOutputsEvent")) {
      done++;
      show(resource(event, "resOutputsEvent", " done"));
    } else if (event.containsFields("resOpFailedEvent")) {
      show(resource(event, "resOpFailedEvent", " failed"));
    }
  }

  Progress shown() {
    return new Progress(operationId, events, started, done, lastLine);
  }

  /** For example "create bucket logs done", from the operation and the end of the URN. */
  private static String resource(Struct event, String name, String end) {
    Struct metadata = field(field(event, name), "metadata");
    String urn = text(metadata, "urn");
    String[] parts = urn.split("::", -1);
    String what = parts.length < 4 ? urn : parts[2] + " " + parts[3];
    return (text(metadata, "op") + " " + what + end).strip();
  }

  private void show(String text) {
    String line = Texts.line(text, LONGEST_LINE);
    lastLine = line.isEmpty() ? lastLine : line;
  }

  private static Struct field(Struct struct, String name) {
    return struct.getFieldsOrDefault(name, Value.getDefaultInstance()).getStructValue();
  }

  private static String text(Struct struct, String name) {
    return struct.getFieldsOrDefault(name, Value.getDefaultInstance()).getStringValue();
  }
}
