package dev.reprise.stack.spec;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What becomes of the workspace after an operation. */
public enum ReclaimPolicy {
  @JsonProperty("Retain")
  RETAIN,
  @JsonProperty("Delete")
  DELETE
}
