package dev.reprise.activities.workspace;

import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.StackRef;
import java.util.Map;

/**
 * The workspace that is wanted.
 *
 * @param stack whose
 * @param spec the Stack's spec
 * @param revision the revision of its source to be in it; "" = no source
 * @param environment of the agent's process; holds secrets
 */
public record WorkspaceRequest(
    StackRef stack, StackSpec spec, String revision, Map<String, String> environment) {
  /** Without the environment. */
  @Override
  public String toString() {
    return "WorkspaceRequest[" + stack + "]";
  }
}
