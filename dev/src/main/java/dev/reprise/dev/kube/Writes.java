package dev.reprise.dev.kube;

import dev.reprise.dev.kube.ManagedFields.Writer;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Create, replace, patch and apply, with what the server itself writes into metadata. */
final class Writes {
  private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
  private static final Set<String> KEPT =
      Set.of("uid", "creationTimestamp", "generation", "deletionTimestamp", "selfLink");

  private final ObjectStore store;
  private final Admission admission;
  private final SecureRandom random = new SecureRandom();

  Writes(ObjectStore store, Admission admission) {
    this.store = store;
    this.admission = admission;
  }

  ApiResponse create(ApiRequest request) {
    ObjectNode object = Json.parseObject(request.body());
    checkIdentity(request, object, false);
    ObjectNode prepared = prepareNew(request, object);
    ResourceType type = request.type();
    ManagedFields managed = new ManagedFields();
    Set<List<String>> leaves = FieldPaths.leaves(ownable(prepared), type.structure());
    managed.set(new Writer(request.fieldManager(), "Update", ""), leaves);
    managed.writeTo(prepared, type.groupVersion());
    return insert(request, prepared);
  }

  ApiResponse update(ApiRequest request) {
    ObjectNode object = Json.parseObject(request.body());
    checkIdentity(request, object, true);
    ObjectNode live = live(request);
    if (Meta.resourceVersion(object).isEmpty() && request.type().custom()) {
      String message = "Invalid value: 0x0: must be specified for an update";
      throw ApiError.invalid(
          request.type(),
          request.name(),
          List.of(new ApiError.Cause("FieldValueInvalid", "metadata.resourceVersion", message)));
    }
    return replace(request, live, object);
  }

  ApiResponse patch(ApiRequest request) {
    String mediaType = request.contentType().replaceFirst(";.*", "").strip();
    return switch (mediaType) {
      case "application/json-patch+json" -> {
        ObjectNode live = live(request);
        yield replace(request, live, Patches.jsonPatch(live, Json.parse(request.body())));
      }
      case "application/merge-patch+json" -> {
        ObjectNode live = live(request);
        yield replace(request, live, Patches.mergePatch(live, Json.parseObject(request.body())));
      }
      case "application/apply-patch+yaml", "application/apply-patch+cbor" -> apply(request);
      default ->
          throw ApiError.of(
              415,
              "UnsupportedMediaType",
              "the body of the request was in an unknown format - accepted media types include:"
                  + " application/json-patch+json, application/merge-patch+json,"
                  + " application/apply-patch+yaml");
    };
  }

  private ApiResponse apply(ApiRequest request) {
    ResourceType type = request.type();
    ObjectNode config = Json.parseObject(request.body());
    checkIdentity(request, config, true);
    if (request.query("fieldManager").isEmpty()) {
      throw ApiError.badRequest("fieldManager: Required value: is required for apply patch");
    }
    if (!config.path("metadata").path("managedFields").isEmpty()) {
      throw ApiError.badRequest("metadata.managedFields must be nil");
    }
    Writer writer = new Writer(request.fieldManager(), "Apply", request.subresource());
    ServerSideApply apply = new ServerSideApply(type, writer, request.flag("force"));
    var stored = store.get(type.groupResource(), request.namespace(), request.name());
    if (stored.isEmpty()) {
      if (!request.subresource().isEmpty()) {
        throw ApiError.notFound(type, request.name());
      }
      if (!Meta.resourceVersion(config).isEmpty() || !Meta.uid(config).isEmpty()) {
        throw ApiError.conflict(type, request.name(), "the object to apply to does not exist");
      }
      ObjectNode merged = apply.apply(Json.object(), config);
      Json.child(merged, "metadata").put("name", request.name());
      var managed = Json.child(merged, "metadata").get("managedFields");
      ObjectNode prepared = prepareNew(request, merged);
      if (managed != null) {
        Json.child(prepared, "metadata").set("managedFields", managed);
      }
      return insert(request, prepared);
    }
    ObjectNode live = as(type, stored.get());
    checkVersion(request, live, config);
    ObjectNode merged = apply.apply(live, config);
    return finish(request, live, merged);
  }

  private ObjectNode live(ApiRequest request) {
    ResourceType type = request.type();
    return store
        .get(type.groupResource(), request.namespace(), request.name())
        .map(stored -> as(type, stored))
        .orElseThrow(() -> ApiError.notFound(type, request.name()));
  }

  /** The stored object in the version of the request; versions differ in name only. */
  static ObjectNode as(ResourceType type, ObjectNode stored) {
    ObjectNode object = stored.deepCopy();
    object.put("apiVersion", type.groupVersion());
    return object;
  }

  private ApiResponse replace(ApiRequest request, ObjectNode live, ObjectNode wanted) {
    ResourceType type = request.type();
    checkVersion(request, live, wanted);
    boolean statusOnly = request.subresource().equals("status");
    ObjectNode candidate = statusOnly ? live.deepCopy() : wanted.deepCopy();
    if (statusOnly) {
      Json.copyField(wanted, candidate, "status");
    } else if (type.status()) {
      Json.copyField(live, candidate, "status");
    }
    ObjectNode merged = keepSystemFields(type, live, candidate);
    ObjectNode admitted = admission.admit(type, merged, live);
    Set<List<String>> present = FieldPaths.leaves(ownable(admitted), type.structure());
    Set<List<String>> changed = FieldPaths.leaves(ownable(admitted), type.structure());
    changed.removeIf(
        path -> FieldPaths.valueAt(live, path).equals(FieldPaths.valueAt(admitted, path)));
    ManagedFields managed = ManagedFields.of(statusOnly ? live : ManagedFields.told(wanted, live));
    if (!changed.isEmpty() || !ownable(admitted).equals(ownable(live))) {
      managed.recordUpdate(
          new Writer(request.fieldManager(), "Update", request.subresource()),
          changed,
          present,
          request.subresource());
    }
    managed.writeTo(admitted, type.groupVersion());
    return finish(request, live, admitted);
  }

  /** Stores what has changed, counts the generation, and lets go of what waited for finalizers. */
  private ApiResponse finish(ApiRequest request, ObjectNode live, ObjectNode candidate) {
    ResourceType type = request.type();
    ObjectNode next = admission.admit(type, keepSystemFields(type, live, candidate), live);
    if (type.countsGenerations() && !desired(type, next).equals(desired(type, live))) {
      Json.child(next, "metadata").put("generation", Meta.generation(live) + 1);
    }
    if (next.equals(live) || request.dryRun()) {
      return ApiResponse.ok(next);
    }
    if (Meta.deleting(next) && Meta.finalizers(next).isEmpty()) {
      return ApiResponse.ok(as(type, store.remove(type.groupResource(), next)));
    }
    return ApiResponse.ok(as(type, store.put(type.groupResource(), next)));
  }

  private ApiResponse insert(ApiRequest request, ObjectNode prepared) {
    ResourceType type = request.type();
    admission.checkNamespace(type, request.namespace(), Meta.name(prepared));
    if (store.get(type.groupResource(), request.namespace(), Meta.name(prepared)).isPresent()) {
      throw ApiError.alreadyExists(type, Meta.name(prepared));
    }
    return new ApiResponse(
        201, request.dryRun() ? prepared : as(type, store.put(type.groupResource(), prepared)));
  }

  private ObjectNode prepareNew(ApiRequest request, ObjectNode object) {
    ResourceType type = request.type();
    ObjectNode prepared = as(type, object);
    prepared.put("kind", type.kind());
    ObjectNode metadata = Json.child(prepared, "metadata");
    metadata.remove(KEPT);
    metadata.remove(List.of("resourceVersion", "managedFields"));
    if (Meta.name(prepared).isEmpty() && metadata.has("generateName")) {
      metadata.put("name", Json.text(metadata, "generateName") + suffix());
    }
    if (Meta.name(prepared).isEmpty()) {
      String message = "Required value: name or generateName is required";
      throw ApiError.invalid(
          type, "", List.of(new ApiError.Cause("FieldValueRequired", "metadata.name", message)));
    }
    if (type.namespaced()) {
      metadata.put("namespace", request.namespace());
    }
    metadata.put("uid", UUID.randomUUID().toString());
    metadata.put("creationTimestamp", now());
    if (type.countsGenerations()) {
      metadata.put("generation", 1);
    }
    if (type.status()) {
      prepared.remove("status");
    }
    return admission.admit(type, prepared, Json.object());
  }

  private String suffix() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      text.append(SUFFIX_ALPHABET.charAt(random.nextInt(SUFFIX_ALPHABET.length())));
    }
    return text.toString();
  }

  private static ObjectNode keepSystemFields(
      ResourceType type, ObjectNode live, ObjectNode candidate) {
    ObjectNode kept = candidate.deepCopy();
    kept.put("apiVersion", type.groupVersion()).put("kind", type.kind());
    ObjectNode metadata = Json.child(kept, "metadata");
    KEPT.forEach(name -> Json.copyField(live.path("metadata"), metadata, name));
    List.of("name", "namespace", "resourceVersion")
        .forEach(name -> Json.copyField(live.path("metadata"), metadata, name));
    return kept;
  }

  /** The part of an object whose change makes a new generation. */
  private static ObjectNode desired(ResourceType type, ObjectNode object) {
    ObjectNode desired = object.deepCopy();
    desired.remove(List.of("metadata", "apiVersion"));
    if (type.status()) {
      desired.remove("status");
    }
    return desired;
  }

  private static ObjectNode ownable(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    copy.remove(List.of("apiVersion", "kind"));
    ObjectNode metadata = Json.child(copy, "metadata");
    metadata.remove(KEPT);
    metadata.remove(
        List.of("name", "namespace", "resourceVersion", "managedFields", "generateName"));
    if (metadata.isEmpty()) {
      copy.remove("metadata");
    }
    return copy;
  }

  private static void checkVersion(ApiRequest request, ObjectNode live, ObjectNode wanted) {
    String version = Meta.resourceVersion(wanted);
    if (!version.isEmpty() && !version.equals(Meta.resourceVersion(live))) {
      throw ApiError.conflict(
          request.type(),
          request.name(),
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    String uid = Meta.uid(wanted);
    if (!uid.isEmpty() && !uid.equals(Meta.uid(live))) {
      throw ApiError.conflict(
          request.type(),
          request.name(),
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, Meta.uid(live)));
    }
  }

  private static void checkIdentity(ApiRequest request, ObjectNode object, boolean nameInPath) {
    ResourceType type = request.type();
    String apiVersion = Json.text(object, "apiVersion");
    String kind = Json.text(object, "kind");
    if ((!apiVersion.isEmpty() && !apiVersion.equals(type.groupVersion()))
        || (!kind.isEmpty() && !kind.equals(type.kind()))) {
      throw ApiError.badRequest(
          "%s %s does not belong under %s %s"
              .formatted(apiVersion, kind, type.groupVersion(), type.plural()));
    }
    String namespace = Meta.namespace(object);
    if (type.namespaced() && !namespace.isEmpty() && !namespace.equals(request.namespace())) {
      throw ApiError.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    String name = Meta.name(object);
    if (nameInPath && !name.isEmpty() && !name.equals(request.name())) {
      throw ApiError.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, request.name()));
    }
  }

  static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
