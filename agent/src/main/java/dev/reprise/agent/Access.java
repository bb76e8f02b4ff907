package dev.reprise.agent;

import dev.reprise.agent.kube.ClusterApi;
import dev.reprise.agent.kube.WorkspaceAccess;

/** Who may call an agent. */
public sealed interface Access {
  /** Anyone. */
  record Open() implements Access {}

  /**
   * Whoever sends {@code authorization: Bearer VALUE}.
   *
   * @param value the secret, not empty
   */
  record Token(String value) implements Access {
    @Override
    public String toString() {
      return "Token[]";
    }
  }

  /**
   * Whoever sends a token of a Kubernetes account that may use the workspace.
   *
   * @param workspace what the account must be allowed
   * @param cluster where to ask
   */
  record Kubernetes(WorkspaceAccess workspace, ClusterApi cluster) implements Access {}
}
