package dev.reprise.dev.kube;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** What an object must be like before it is stored, and what the server adds to some kinds. */
final class Admission {
  private static final int MAX_NAME = 253;
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private final ObjectStore store;

  Admission(ObjectStore store) {
    this.store = store;
  }

  /**
   * Answers the object as it is stored, or throws 422.
   *
   * @param live the object before; empty when it is new
   */
  ObjectNode admit(ResourceType type, ObjectNode object, ObjectNode live) {
    ObjectNode admitted = object.deepCopy();
    if (Meta.deleting(live)) {
      refuseNewFinalizers(type, admitted, live);
    }
    switch (type.groupResource()) {
      case "secrets" -> encodeStringData(admitted);
      case ResourceRegistry.CRDS -> establish(admitted);
      case "namespaces" -> activate(admitted);
      default -> {}
    }
    if (live.isEmpty()) {
      checkName(type, admitted);
    }
    if (type.structure() instanceof Structure.Schema.Root root) {
      SchemaShaper.shape(admitted, root.schema());
      refuse(type, admitted, SchemaValidator.check(admitted, root.schema()));
    }
    return admitted;
  }

  /** 404 when the namespace is missing, 403 while it is being deleted. */
  void checkNamespace(ResourceType type, String namespace, String name) {
    if (!type.namespaced()) {
      return;
    }
    ObjectNode found =
        store
            .get("namespaces", "", namespace)
            .orElseThrow(() -> ApiError.notFound(namespaceType(), namespace));
    if (Meta.deleting(found)) {
      String why =
          "unable to create new content in namespace %s because it is being terminated"
              .formatted(namespace);
      throw ApiError.forbidden(
          type,
          name,
          why,
          List.of(
              new ApiError.Cause(
                  "NamespaceTerminating",
                  "metadata.namespace",
                  "namespace " + namespace + " is being terminated")));
    }
  }

  private static ResourceType namespaceType() {
    return new ResourceType(
        "",
        "v1",
        "Namespace",
        "namespaces",
        List.of(),
        false,
        true,
        false,
        new Structure.Builtin(""));
  }

  private static void refuseNewFinalizers(ResourceType type, ObjectNode object, ObjectNode live) {
    List<String> added = new ArrayList<>(Meta.finalizers(object));
    added.removeAll(Meta.finalizers(live));
    if (!added.isEmpty()) {
      String message =
          "Forbidden: no new finalizers can be added if the object is being deleted, found new"
              + " finalizers "
              + added;
      refuse(
          type,
          object,
          List.of(new ApiError.Cause("FieldValueForbidden", "metadata.finalizers", message)));
    }
  }

  private static void checkName(ResourceType type, ObjectNode object) {
    String name = Meta.name(object);
    boolean free = type.group().equals("rbac.authorization.k8s.io");
    if (!free && (name.length() > MAX_NAME || !NAME.matcher(name).matches())) {
      String message =
          "Invalid value: \"%s\": a lowercase RFC 1123 subdomain must consist of lower case"
                  .formatted(name)
              + " alphanumeric characters, '-' or '.', and must start and end with an alphanumeric"
              + " character, and be no more than 253 characters";
      refuse(
          type, object, List.of(new ApiError.Cause("FieldValueInvalid", "metadata.name", message)));
    }
  }

  private static void refuse(ResourceType type, ObjectNode object, List<ApiError.Cause> causes) {
    if (!causes.isEmpty()) {
      throw ApiError.invalid(type, Meta.name(object), causes);
    }
  }

  private static void encodeStringData(ObjectNode secret) {
    if (secret.get("stringData") instanceof ObjectNode plain) {
      ObjectNode data = Json.child(secret, "data");
      plain.forEachEntry(
          (key, value) ->
              data.put(
                  key,
                  Base64.getEncoder()
                      .encodeToString(value.asString("").getBytes(StandardCharsets.UTF_8))));
      secret.remove("stringData");
    }
    if (!secret.has("type")) {
      secret.put("type", "Opaque");
    }
  }

  private static void establish(ObjectNode crd) {
    ObjectNode status = Json.child(crd, "status");
    if (!status.has("conditions")) {
      var conditions = status.putArray("conditions");
      for (String condition : List.of("NamesAccepted", "Established")) {
        conditions
            .addObject()
            .put("type", condition)
            .put("status", "True")
            .put("lastTransitionTime", Writes.now())
            .put("reason", "NoConflicts")
            .put("message", "");
      }
    }
    status.set("acceptedNames", crd.path("spec").path("names").deepCopy());
    if (!Meta.deleting(crd)) {
      Meta.addFinalizer(crd, Cascade.CRD_FINALIZER);
    }
  }

  private static void activate(ObjectNode namespace) {
    Json.child(namespace, "status")
        .put("phase", Meta.deleting(namespace) ? "Terminating" : "Active");
    Json.child(Json.child(namespace, "metadata"), "labels")
        .put("kubernetes.io/metadata.name", Meta.name(namespace));
    if (!Meta.deleting(namespace)) {
      Meta.addFinalizer(namespace, Cascade.NAMESPACE_FINALIZER);
    }
  }
}
