package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.agent.Credentials;
import dev.reprise.activities.agent.ServiceAccountTokens;

/** With what calls to workspaces' agents prove who they come from. */
@FunctionalInterface
public interface AgentCredentials {
  /** No proof. */
  AgentCredentials NONE = audience -> Credentials.fixed("");

  /**
   * For one agent.
   *
   * @param audience what that agent wants its callers' tokens to be issued for
   */
  Credentials towards(String audience);

  /** Tokens of the worker's own service account. */
  static AgentCredentials of(ServiceAccountTokens tokens) {
    return tokens::towards;
  }
}
