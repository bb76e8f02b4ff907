package dev.reprise.dev.kube;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** An answer that is not a success, as the Status object that a client reads. */
final class ApiError extends RuntimeException {
  private final int code;
  private final transient ObjectNode status;

  private ApiError(int code, String reason, String message) {
    super(message, null, false, false);
    this.code = code;
    this.status = Json.object();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Failure").put("message", message).put("reason", reason).put("code", code);
  }

  /** One reason why an object is not valid. */
  record Cause(String reason, String field, String message) {}

  int code() {
    return code;
  }

  ObjectNode status() {
    return status.deepCopy();
  }

  /**
   * True for the plain 404 of a path that leads nowhere, such as a resource whose CRD is missing.
   */
  boolean bare() {
    return code == 404 && !status.has("details");
  }

  static ApiError of(int code, String reason, String message) {
    return new ApiError(code, reason, message);
  }

  static ApiError noSuchPath() {
    return new ApiError(404, "NotFound", "404 page not found");
  }

  static ApiError badRequest(String message) {
    return new ApiError(400, "BadRequest", message);
  }

  static ApiError expired(String message) {
    return new ApiError(410, "Expired", message);
  }

  static ApiError notFound(ResourceType type, String name) {
    return new ApiError(404, "NotFound", type.groupResource() + " \"" + name + "\" not found")
        .details(type, name);
  }

  static ApiError alreadyExists(ResourceType type, String name) {
    return new ApiError(
            409, "AlreadyExists", type.groupResource() + " \"" + name + "\" already exists")
        .details(type, name);
  }

  static ApiError conflict(ResourceType type, String name, String why) {
    String message =
        "Operation cannot be fulfilled on %s \"%s\": %s".formatted(type.groupResource(), name, why);
    return new ApiError(409, "Conflict", message).details(type, name);
  }

  static ApiError forbidden(ResourceType type, String name, String why, List<Cause> causes) {
    String message = "%s \"%s\" is forbidden: %s".formatted(type.groupResource(), name, why);
    return new ApiError(403, "Forbidden", message).details(type, name).causes(causes);
  }

  static ApiError invalid(ResourceType type, String name, List<Cause> causes) {
    String list =
        String.join(", ", causes.stream().map(c -> c.field() + ": " + c.message()).toList());
    String kind = type.group().isEmpty() ? type.kind() : type.kind() + "." + type.group();
    String message =
        "%s \"%s\" is invalid: %s"
            .formatted(kind, name, causes.size() == 1 ? list : "[" + list + "]");
    ApiError error = new ApiError(422, "Invalid", message).details(type, name);
    ((ObjectNode) error.status.path("details")).put("kind", type.kind());
    return error.causes(causes);
  }

  static ApiError applyConflict(List<Cause> causes) {
    String fields = String.join(", ", causes.stream().map(Cause::field).toList());
    String message =
        "Apply failed with %d conflict%s: %s"
            .formatted(causes.size(), causes.size() == 1 ? "" : "s", fields);
    ApiError error = new ApiError(409, "Conflict", message);
    error.status.putObject("details");
    return error.causes(causes);
  }

  private ApiError details(ResourceType type, String name) {
    ObjectNode details = status.putObject("details");
    details.put("name", name);
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.plural());
    return this;
  }

  private ApiError causes(List<Cause> causes) {
    if (!causes.isEmpty()) {
      var list = ((ObjectNode) status.path("details")).putArray("causes");
      for (Cause cause : causes) {
        list.addObject()
            .put("reason", cause.reason())
            .put("message", cause.message())
            .put("field", cause.field());
      }
    }
    return this;
  }
}
