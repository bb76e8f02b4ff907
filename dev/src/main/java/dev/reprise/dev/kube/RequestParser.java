package dev.reprise.dev.kube;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds out which objects a path means. */
final class RequestParser {
  private static final Set<String> OF_A_NAMESPACE = Set.of("status", "finalize");

  private final ResourceRegistry registry;

  RequestParser(ResourceRegistry registry) {
    this.registry = registry;
  }

  /** What came in over HTTP. */
  record Raw(
      String method,
      String path,
      Map<String, String> query,
      String contentType,
      String accept,
      String userAgent,
      String body) {}

  /** Answers the request, or the plain 404 of a path that leads nowhere. */
  ApiRequest parse(Raw raw) {
    List<String> parts =
        Arrays.stream(raw.path().split("/", -1)).filter(part -> !part.isEmpty()).toList();
    boolean core = parts.size() > 2 && parts.getFirst().equals("api");
    boolean grouped = parts.size() > 3 && parts.getFirst().equals("apis");
    if (!core && !grouped) {
      throw ApiError.noSuchPath();
    }
    String group = core ? "" : parts.get(1);
    String version = parts.get(core ? 1 : 2);
    List<String> rest = parts.subList(core ? 2 : 3, parts.size());
    String namespace = "";
    if (rest.size() > 2
        && rest.getFirst().equals("namespaces")
        && !OF_A_NAMESPACE.contains(rest.get(2))) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    ResourceType type =
        registry.find(group, version, rest.getFirst()).orElseThrow(ApiError::noSuchPath);
    String name = rest.size() > 1 ? rest.get(1) : "";
    String subresource = rest.size() > 2 ? rest.get(2) : "";
    if (rest.size() > 3
        || (!namespace.isEmpty() && !type.namespaced())
        || !hasSubresource(type, subresource)) {
      throw ApiError.noSuchPath();
    }
    return new ApiRequest(
        verb(raw, name),
        type,
        namespace,
        name,
        subresource,
        raw.query(),
        raw.contentType(),
        raw.accept(),
        raw.userAgent(),
        raw.body());
  }

  private static boolean hasSubresource(ResourceType type, String subresource) {
    return switch (subresource) {
      case "" -> true;
      case "status" -> type.status();
      case "token" -> type.groupResource().equals("serviceaccounts");
      default -> false;
    };
  }

  private static String verb(Raw raw, String name) {
    return switch (raw.method()) {
      case "GET" -> {
        boolean watch = Set.of("true", "1").contains(raw.query().getOrDefault("watch", ""));
        yield watch ? "watch" : name.isEmpty() ? "list" : "get";
      }
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      default -> throw ApiError.of(405, "MethodNotAllowed", raw.method() + " is not supported");
    };
  }
}
