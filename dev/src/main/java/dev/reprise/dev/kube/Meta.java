package dev.reprise.dev.kube;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reading and writing an object's metadata. */
final class Meta {
  private Meta() {}

  static String name(JsonNode object) {
    return Json.text(object, "metadata", "name");
  }

  static String namespace(JsonNode object) {
    return Json.text(object, "metadata", "namespace");
  }

  static String uid(JsonNode object) {
    return Json.text(object, "metadata", "uid");
  }

  static String resourceVersion(JsonNode object) {
    return Json.text(object, "metadata", "resourceVersion");
  }

  static boolean deleting(JsonNode object) {
    return !Json.text(object, "metadata", "deletionTimestamp").isEmpty();
  }

  static long generation(JsonNode object) {
    return object.path("metadata").path("generation").asLong(0);
  }

  static List<String> finalizers(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.path("metadata").path("finalizers").forEach(entry -> names.add(entry.asString("")));
    return names;
  }

  static void addFinalizer(ObjectNode object, String finalizer) {
    if (!finalizers(object).contains(finalizer)) {
      ObjectNode metadata = Json.child(object, "metadata");
      if (metadata.get("finalizers") instanceof ArrayNode list) {
        list.add(finalizer);
      } else {
        metadata.putArray("finalizers").add(finalizer);
      }
    }
  }

  static void removeFinalizer(ObjectNode object, String finalizer) {
    List<String> names = finalizers(object);
    names.remove(finalizer);
    ObjectNode metadata = Json.child(object, "metadata");
    metadata.remove("finalizers");
    if (!names.isEmpty()) {
      names.forEach(metadata.putArray("finalizers")::add);
    }
  }

  /** Removes every owner reference to {@code uid}. */
  static void removeOwner(ObjectNode object, String uid) {
    ObjectNode metadata = Json.child(object, "metadata");
    if (metadata.get("ownerReferences") instanceof ArrayNode owners) {
      owners.removeIf(owner -> Json.text(owner, "uid").equals(uid));
      if (owners.isEmpty()) {
        metadata.remove("ownerReferences");
      }
    }
  }

  static boolean ownedBy(JsonNode object, String uid) {
    return object
        .path("metadata")
        .path("ownerReferences")
        .valueStream()
        .anyMatch(owner -> Json.text(owner, "uid").equals(uid));
  }

  /** Whether foreground deletion of the owner waits for this object. */
  static boolean blocksDeletionOf(JsonNode object, String uid) {
    return object
        .path("metadata")
        .path("ownerReferences")
        .valueStream()
        .filter(owner -> owner.path("blockOwnerDeletion").asBoolean(false))
        .anyMatch(owner -> Json.text(owner, "uid").equals(uid));
  }
}
