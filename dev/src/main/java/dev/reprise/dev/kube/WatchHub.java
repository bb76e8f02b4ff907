package dev.reprise.dev.kube;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The open watches, and what each of them gets to see of a change. */
final class WatchHub {
  /** The connection of one watch. */
  interface Stream {
    void send(JsonNode event);

    void end();

    /** Sends a last event and ends. */
    void fail(JsonNode event);
  }

  private record Watch(
      String resource, String namespace, Predicate<JsonNode> selector, View view, Stream stream) {

    void deliver(Change change) {
      if (!resource.equals(change.resource())
          || (!namespace.isEmpty() && !namespace.equals(Meta.namespace(change.object())))) {
        return;
      }
      boolean before = change.kind() != Change.Kind.ADDED && selector.test(change.previous());
      boolean after = change.kind() != Change.Kind.DELETED && selector.test(change.object());
      if (after) {
        stream.send(event(before ? "MODIFIED" : "ADDED", view.show(change.object())));
      } else if (before) {
        stream.send(event("DELETED", view.show(change.object())));
      }
    }
  }

  private final ObjectStore store;
  private final Map<Stream, Watch> watches = new LinkedHashMap<>();
  private boolean silent;

  WatchHub(ObjectStore store) {
    this.store = store;
  }

  void onChange(Change change) {
    if (!silent) {
      List.copyOf(watches.values()).forEach(watch -> watch.deliver(change));
    }
  }

  /**
   * Starts a watch: from a resourceVersion, or with the present objects as ADDED when none is
   * given. A resourceVersion that is too old gets an ERROR event with a Status 410, then the end.
   */
  void open(ApiRequest request, Stream stream) {
    Predicate<JsonNode> selector = request.selector();
    if (!request.name().isEmpty()) {
      selector = selector.and(object -> Meta.name(object).equals(request.name()));
    }
    ResourceType type = request.type();
    Watch watch =
        new Watch(type.groupResource(), request.namespace(), selector, View.of(request), stream);
    String from = request.query("resourceVersion");
    boolean initialEvents = request.flag("sendInitialEvents") || from.isEmpty() || from.equals("0");
    try {
      if (initialEvents) {
        sendPresent(watch);
        if (request.flag("sendInitialEvents")) {
          stream.send(event("BOOKMARK", endOfInitialEvents(type)));
        }
      } else {
        store.since(parse(from)).forEach(watch::deliver);
      }
      watches.put(stream, watch);
    } catch (ApiError e) {
      stream.fail(event("ERROR", e.status()));
    }
  }

  private void sendPresent(Watch watch) {
    store.list(watch.resource(), watch.namespace()).stream()
        .filter(watch.selector())
        .forEach(object -> watch.stream().send(event("ADDED", watch.view().show(object))));
  }

  private static long parse(String resourceVersion) {
    try {
      return Long.parseLong(resourceVersion);
    } catch (NumberFormatException e) {
      throw ApiError.badRequest("invalid resource version: " + resourceVersion);
    }
  }

  void close(Stream stream) {
    watches.remove(stream);
  }

  void closeAll() {
    List<Stream> open = List.copyOf(watches.keySet());
    watches.clear();
    open.forEach(Stream::end);
  }

  /** While silent, watches stay open and lose what happens. */
  void silence(boolean on) {
    silent = on;
  }

  int size() {
    return watches.size();
  }

  private ObjectNode endOfInitialEvents(ResourceType type) {
    ObjectNode bookmark = Json.object();
    bookmark.put("kind", type.kind()).put("apiVersion", type.groupVersion());
    ObjectNode metadata = bookmark.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(store.revision()));
    metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    return bookmark;
  }

  private static ObjectNode event(String kind, ObjectNode object) {
    ObjectNode event = Json.object();
    event.put("type", kind).set("object", object);
    return event;
  }
}
