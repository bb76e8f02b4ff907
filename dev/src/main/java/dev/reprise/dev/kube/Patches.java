package dev.reprise.dev.kube;

import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386). */
final class Patches {
  private Patches() {}

  static ObjectNode jsonPatch(ObjectNode live, JsonNode patch) {
    try {
      if (JsonPatch.apply(patch, live.deepCopy()) instanceof ObjectNode patched) {
        return patched;
      }
    } catch (JsonPatchException e) {
      throw ApiError.of(
          422, "Invalid", "the server rejected our request due to an error in our request: " + e);
    }
    throw ApiError.of(422, "Invalid", "the patch does not leave an object");
  }

  static ObjectNode mergePatch(ObjectNode live, ObjectNode patch) {
    ObjectNode target = live.deepCopy();
    patch.forEachEntry(
        (name, value) -> {
          if (value.isNull()) {
            target.remove(name);
          } else if (value instanceof ObjectNode object) {
            ObjectNode old =
                target.get(name) instanceof ObjectNode existing ? existing : Json.object();
            target.set(name, mergePatch(old, object));
          } else {
            target.set(name, value.deepCopy());
          }
        });
    return target;
  }
}
