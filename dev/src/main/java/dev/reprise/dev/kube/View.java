package dev.reprise.dev.kube;

import tools.jackson.databind.node.ObjectNode;

/** The form in which a client wants objects: whole, or their metadata only. */
record View(ResourceType type, boolean metadataOnly) {
  private static final String META_VERSION = "meta.k8s.io/v1";

  static View of(ApiRequest request) {
    return new View(request.type(), request.accept().contains("as=PartialObjectMetadata"));
  }

  ObjectNode show(ObjectNode stored) {
    if (!metadataOnly) {
      return Writes.as(type, stored);
    }
    ObjectNode partial = Json.object();
    partial.put("kind", "PartialObjectMetadata").put("apiVersion", META_VERSION);
    partial.set("metadata", stored.path("metadata").deepCopy());
    return partial;
  }

  ObjectNode emptyList() {
    ObjectNode list = Json.object();
    list.put("kind", metadataOnly ? "PartialObjectMetadataList" : type.kind() + "List");
    list.put("apiVersion", metadataOnly ? META_VERSION : type.groupVersion());
    return list;
  }
}
