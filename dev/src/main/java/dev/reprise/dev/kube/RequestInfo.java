package dev.reprise.dev.kube;

/**
 * A request as tests and faults see it.
 *
 * @param verb as in RBAC: get, list, watch, create, update, patch, delete, deletecollection
 * @param resource plural and group, and the subresource if there is one, such as {@code
 *     stacks.pulumi.com/status} or {@code secrets}
 * @param namespace "" for all namespaces or a cluster-wide resource
 * @param name "" for a collection
 */
public record RequestInfo(String verb, String resource, String namespace, String name) {
  static RequestInfo of(ApiRequest request) {
    String subresource = request.subresource().isEmpty() ? "" : "/" + request.subresource();
    return new RequestInfo(
        request.verb(),
        request.type().groupResource() + subresource,
        request.namespace(),
        request.name());
  }

  /** Whether this is the verb on the resource. */
  public boolean is(String wantedVerb, String wantedResource) {
    return verb.equals(wantedVerb) && resource.equals(wantedResource);
  }
}
