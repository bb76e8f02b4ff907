package dev.reprise.dev.kube;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The API without its transport. One thread at a time. */
final class Api implements AutoCloseable {
  private static final Duration TOKEN_LIFETIME = Duration.ofHours(1);

  private final ObjectStore store;
  private final ResourceRegistry registry = new ResourceRegistry();
  private final WatchHub watches;
  private final Reads reads;
  private final Writes writes;
  private final Deletes deletes;
  private final @Nullable ObjectLog log;

  /**
   * @param file where objects outlive the process, or {@link EmbeddedKubernetes.Options#NOT_KEPT}
   */
  Api(int eventLogSize, Path file) {
    store = new ObjectStore(eventLogSize);
    log = file.equals(EmbeddedKubernetes.Options.NOT_KEPT) ? null : ObjectLog.open(file, store);
    store.list(ResourceRegistry.CRDS, "").forEach(registry::define);
    watches = new WatchHub(store);
    reads = new Reads(store);
    writes = new Writes(store, new Admission(store));
    deletes = new Deletes(store);
    Cascade cascade = new Cascade(store, registry, deletes);
    if (log != null) {
      store.onChange(log::onChange);
    }
    store.onChange(registry::onChange);
    store.onChange(watches::onChange);
    store.onChange(cascade::onChange);
  }

  ResourceRegistry registry() {
    return registry;
  }

  WatchHub watches() {
    return watches;
  }

  ObjectStore store() {
    return store;
  }

  /** Answers everything but a watch. */
  ApiResponse handle(ApiRequest request) {
    if (request.contentType().contains("protobuf")) {
      throw ApiError.of(
          415, "UnsupportedMediaType", "this server reads JSON and YAML only, not Protobuf");
    }
    if (request.subresource().equals("token")) {
      return token(request);
    }
    return switch (request.verb()) {
      case "get" -> reads.get(request);
      case "list" -> reads.list(request);
      case "create" -> writes.create(request);
      case "update" -> writes.update(request);
      case "patch" -> writes.patch(request);
      case "delete" -> deletes.delete(request);
      case "deletecollection" -> deletes.deleteCollection(request);
      default ->
          throw ApiError.of(405, "MethodNotAllowed", request.verb() + " is not possible here");
    };
  }

  private ApiResponse token(ApiRequest request) {
    if (store.get("serviceaccounts", request.namespace(), request.name()).isEmpty()) {
      throw ApiError.notFound(request.type(), request.name());
    }
    ObjectNode answer = Json.parseObject(request.body());
    long seconds = answer.path("spec").path("expirationSeconds").asLong(TOKEN_LIFETIME.toSeconds());
    Instant expires = Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS);
    answer
        .putObject("status")
        .put("token", "embedded-" + UUID.randomUUID())
        .put("expirationTimestamp", expires.toString());
    return new ApiResponse(201, answer);
  }

  /** Lets go of the file. */
  @Override
  public void close() {
    if (log != null) {
      log.close();
    }
  }
}
