package dev.reprise.dev.kube;

import tools.jackson.databind.JsonNode;

/** An answer with a body. */
record ApiResponse(int code, JsonNode body) {
  static ApiResponse ok(JsonNode body) {
    return new ApiResponse(200, body);
  }
}
