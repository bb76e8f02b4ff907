package dev.reprise.dev.kube;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Get and list, the latter in pages. */
final class Reads {
  private final ObjectStore store;

  Reads(ObjectStore store) {
    this.store = store;
  }

  ApiResponse get(ApiRequest request) {
    ResourceType type = request.type();
    ObjectNode stored =
        store
            .get(type.groupResource(), request.namespace(), request.name())
            .orElseThrow(() -> ApiError.notFound(type, request.name()));
    return ApiResponse.ok(View.of(request).show(stored));
  }

  /**
   * Answers one page. All pages carry the resourceVersion of the first, so that a watch from there
   * sees whatever changed while they were read.
   */
  ApiResponse list(ApiRequest request) {
    View view = View.of(request);
    Position position = Position.decode(request.query("continue"), store.revision());
    store.since(position.revision());
    List<ObjectNode> matching =
        store.list(request.type().groupResource(), request.namespace()).stream()
            .filter(request.selector())
            .filter(object -> position.isBefore(object))
            .toList();
    int limit = request.query("limit").isEmpty() ? 0 : Integer.parseInt(request.query("limit"));
    boolean more = limit > 0 && matching.size() > limit;
    List<ObjectNode> page = more ? matching.subList(0, limit) : matching;

    ObjectNode list = view.emptyList();
    ObjectNode metadata = list.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(position.revision()));
    if (more) {
      metadata.put("continue", new Position(position.revision(), keyOf(page.getLast())).encode());
      metadata.put("remainingItemCount", matching.size() - limit);
    }
    List<JsonNode> items = new ArrayList<>();
    page.forEach(object -> items.add(view.show(object)));
    if (view.metadataOnly() && items.isEmpty()) {
      // So does a real API server, which builds this list anew and leaves it out.
      list.putNull("items");
    } else {
      list.putArray("items").addAll(items);
    }
    return ApiResponse.ok(list);
  }

  private static String keyOf(ObjectNode object) {
    return ObjectStore.key(Meta.namespace(object), Meta.name(object));
  }

  /** Where a list continues: after {@code key}, in the state of {@code revision}. */
  private record Position(long revision, String key) {
    static Position decode(String token, long now) {
      if (token.isEmpty()) {
        return new Position(now, "");
      }
      try {
        String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        int split = text.indexOf(' ');
        return new Position(Long.parseLong(text.substring(0, split)), text.substring(split + 1));
      } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
        throw ApiError.badRequest("continue key is not valid: " + token);
      }
    }

    String encode() {
      byte[] text = (revision + " " + key).getBytes(StandardCharsets.UTF_8);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    boolean isBefore(ObjectNode object) {
      return key.isEmpty() || keyOf(object).compareTo(key) > 0;
    }
  }
}
