package dev.reprise.activities.operation;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import java.util.function.Supplier;

/** Condenses Pulumi's engine events into what a pending activity shows. */
final class EventProgress {
  private static final int LONGEST_LINE = 200;

  /** Enough for one line; a secret that crosses this cut is never shown. */
  private static final int LOOKED_AT = 4_000;

  private final String operationId;
  private final Supplier<Redactor> redactor;
  private long events;
  private int started;
  private int done;
  private String lastLine = "";

  /**
   * @param redactor asked for when there is a text to show, as it may have to be read first
   */
  EventProgress(String operationId, Supplier<Redactor> redactor) {
    this.operationId = operationId;
    this.redactor = redactor;
  }

  /** Takes over what an agent counted before this stream. */
  void adopt(dev.reprise.proto.operation.Progress seen) {
    events = seen.getEvents();
    started = seen.getResourcesStarted();
    done = seen.getResourcesDone();
    show(seen.getLastLine());
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
    } else if (event.containsFields("stdoutEvent")) {
      show(text(field(event, "stdoutEvent"), "message"));
    } else if (event.containsFields("diagnosticEvent")) {
      show(text(field(event, "diagnosticEvent"), "message"));
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
    if (text.isBlank()) {
      return;
    }
    String seen = text.length() > LOOKED_AT ? text.substring(0, LOOKED_AT) : text;
    String line = Texts.line(redactor.get().apply(seen), LONGEST_LINE);
    lastLine = line.isEmpty() ? lastLine : line;
  }

  private static Struct field(Struct struct, String name) {
    return struct.getFieldsOrDefault(name, Value.getDefaultInstance()).getStructValue();
  }

  private static String text(Struct struct, String name) {
    return struct.getFieldsOrDefault(name, Value.getDefaultInstance()).getStringValue();
  }
}
