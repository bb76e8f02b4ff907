package dev.reprise.activities.workspace;

import dev.reprise.stack.spec.StackSpec;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.activity.StackRef;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;

/**
 * The workspace that is wanted.
 *
 * @param stack whose
 * @param spec the Stack's spec
 * @param revision the revision of its source to be in it; "" = no source
 * @param environment of the agent's process; holds secrets
 * @param inputs every value of its configuration and of what it refers to, each under a name that
 *     says where it comes from; holds secrets
 * @param purpose what for
 * @param since when this was asked for first: what is broken since before then is tried anew
 */
public record WorkspaceRequest(
    StackRef stack,
    StackSpec spec,
    String revision,
    Map<String, String> environment,
    SortedMap<String, String> inputs,
    Purpose purpose,
    Instant since) {

  /** What a workspace is for. */
  public sealed interface Purpose {

    /** Any operation: the workspace is as the spec says. */
    record Operation() implements Purpose {}

    /**
     * The destroy of a Stack that is being deleted, which must not wait for anything that may have
     * been deleted with it: whatever workspace there still is will do.
     *
     * @param project the project last run, from which one is made when nothing else is left
     * @param lastRevision the revision of the source last run; "" = not known
     */
    record Deletion(ProjectInfo project, String lastRevision) implements Purpose {}
  }

  /** Without any value. */
  @Override
  public String toString() {
    return "WorkspaceRequest[" + stack + "]";
  }
}
