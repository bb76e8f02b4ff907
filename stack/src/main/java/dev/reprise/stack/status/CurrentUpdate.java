package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/** The Pulumi Kubernetes Operator's operation in flight. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record CurrentUpdate(Long generation, String reconcileRequest, String name, String commit) {
  /** No operation in flight. */
  public static final CurrentUpdate NONE = new CurrentUpdate(0L, "", "", "");

  public CurrentUpdate {
    generation = Absent.or(generation, 0L);
    reconcileRequest = Absent.text(reconcileRequest);
    name = Absent.text(name);
    commit = Absent.text(commit);
  }
}
