package dev.reprise.activities.workspace.pod;

import dev.reprise.workflows.activity.StackRef;

/** With what calls to a workspace's agent prove who they come from. */
@FunctionalInterface
public interface AgentTokens {
  /** No proof. */
  AgentTokens NONE = stack -> "";

  /** A bearer token that is valid now; "" = none. Called before each connection. */
  String token(StackRef stack);
}
