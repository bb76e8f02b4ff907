package dev.reprise.dev.kube;

import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * A request for objects of one type.
 *
 * @param verb as in RBAC: get, list, watch, create, update, patch, delete, deletecollection
 * @param namespace "" for all namespaces or a cluster-wide type
 * @param name "" for a collection
 * @param subresource "" for the object itself
 */
record ApiRequest(
    String verb,
    ResourceType type,
    String namespace,
    String name,
    String subresource,
    Map<String, String> query,
    String contentType,
    String accept,
    String userAgent,
    String body) {

  String query(String name) {
    return query.getOrDefault(name, "");
  }

  boolean flag(String name) {
    return query(name).equals("true");
  }

  /** The field manager by the rule of the API server: named, or the client program's name. */
  String fieldManager() {
    String named = query("fieldManager");
    return named.isEmpty() ? userAgent.replaceFirst("/.*", "") : named;
  }

  Predicate<JsonNode> selector() {
    return Selector.of(query("labelSelector"), query("fieldSelector"));
  }

  boolean dryRun() {
    return query("dryRun").equals("All");
  }
}
