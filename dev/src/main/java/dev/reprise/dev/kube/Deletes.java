package dev.reprise.dev.kube;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deletion: preconditions, finalizers and what happens to dependents. */
final class Deletes {
  private final ObjectStore store;

  Deletes(ObjectStore store) {
    this.store = store;
  }

  ApiResponse delete(ApiRequest request) {
    ResourceType type = request.type();
    ObjectNode live =
        store
            .get(type.groupResource(), request.namespace(), request.name())
            .orElseThrow(() -> ApiError.notFound(type, request.name()));
    JsonNode options = request.body().isBlank() ? Json.object() : Json.parseObject(request.body());
    checkPreconditions(request, options, live);
    if (request.dryRun()) {
      return ApiResponse.ok(Writes.as(type, live));
    }
    ObjectNode left = delete(type, live, policy(request, options));
    return ApiResponse.ok(left.isEmpty() ? success(type, live) : Writes.as(type, left));
  }

  ApiResponse deleteCollection(ApiRequest request) {
    ResourceType type = request.type();
    JsonNode options = request.body().isBlank() ? Json.object() : Json.parseObject(request.body());
    List<ObjectNode> doomed =
        store.list(type.groupResource(), request.namespace()).stream()
            .filter(request.selector())
            .toList();
    doomed.forEach(object -> delete(type, object, policy(request, options)));
    ObjectNode list = Json.object();
    list.put("kind", type.kind() + "List").put("apiVersion", type.groupVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(store.revision()));
    list.putArray("items").addAll(doomed);
    return ApiResponse.ok(list);
  }

  /** Removes an object, or marks it when finalizers hold it. Answers what is left, else empty. */
  ObjectNode delete(ResourceType type, ObjectNode live, String policy) {
    ObjectNode next = live.deepCopy();
    switch (policy) {
      case "Foreground" -> Meta.addFinalizer(next, Cascade.FOREGROUND);
      case "Orphan" -> Meta.addFinalizer(next, Cascade.ORPHAN);
      default -> {}
    }
    if (Meta.deleting(live)) {
      return live;
    }
    if (Meta.finalizers(next).isEmpty()) {
      store.remove(type.groupResource(), next);
      return Json.object();
    }
    ObjectNode metadata = Json.child(next, "metadata");
    metadata.put("deletionTimestamp", Writes.now()).put("deletionGracePeriodSeconds", 0);
    if (Meta.generation(live) > 0) {
      metadata.put("generation", Meta.generation(live) + 1);
    }
    if (type.groupResource().equals("namespaces")) {
      Json.child(next, "status").put("phase", "Terminating");
    }
    store.put(type.groupResource(), next);
    return store
        .get(type.groupResource(), Meta.namespace(next), Meta.name(next))
        .orElseGet(Json::object);
  }

  private static String policy(ApiRequest request, JsonNode options) {
    String inBody = Json.text(options, "propagationPolicy");
    return inBody.isEmpty() ? request.query("propagationPolicy") : inBody;
  }

  private static void checkPreconditions(ApiRequest request, JsonNode options, ObjectNode live) {
    JsonNode wanted = options.path("preconditions");
    String uid = Json.text(wanted, "uid");
    String version = Json.text(wanted, "resourceVersion");
    if (!uid.isEmpty() && !uid.equals(Meta.uid(live))) {
      throw ApiError.conflict(
          request.type(),
          request.name(),
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, Meta.uid(live)));
    }
    if (!version.isEmpty() && !version.equals(Meta.resourceVersion(live))) {
      throw ApiError.conflict(
          request.type(),
          request.name(),
          "Precondition failed: ResourceVersion in precondition: %s, in object meta: %s"
              .formatted(version, Meta.resourceVersion(live)));
    }
  }

  private static ObjectNode success(ResourceType type, ObjectNode removed) {
    ObjectNode status = Json.object();
    status.put("kind", "Status").put("apiVersion", "v1").put("status", "Success");
    status.putObject("metadata");
    ObjectNode details = status.putObject("details");
    details.put("name", Meta.name(removed)).put("group", type.group()).put("kind", type.plural());
    details.put("uid", Meta.uid(removed));
    return status;
  }
}
