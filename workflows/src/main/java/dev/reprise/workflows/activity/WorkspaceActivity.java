package dev.reprise.workflows.activity;

import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Makes a workspace ready: its objects, its agent, the program and configuration in it. */
@ActivityInterface
public interface WorkspaceActivity {

  /**
   * What the workspace is for.
   *
   * @param stack the Stack
   * @param generation the generation decided on
   * @param kind the operation that is to follow; a destroy needs no source
   * @param revision the revision decided on; "" = no source
   * @param attempt the number of the attempt, for logs; 0 = not told
   */
  record WorkspaceInput(
      StackRef stack, long generation, OperationKind kind, String revision, int attempt) {

    /** For an attempt whose number does not matter. */
    public WorkspaceInput(StackRef stack, long generation, OperationKind kind, String revision) {
      this(stack, generation, kind, revision, 0);
    }
  }

  /**
   * Whether the operation can be sent.
   *
   * @param outcome {@code SUCCEEDED}, or why not: {@code UNREACHABLE}, {@code ACCESS_DENIED},
   *     {@code WORKSPACE_FAILED}, {@code SOURCE_UNAVAILABLE}, {@code INPUT_REFUSED}, {@code BUSY},
   *     {@code SUPERSEDED} …
   * @param message one line why not, without secrets; "" when ready
   */
  record WorkspaceOutput(Outcome outcome, String message) {

    /** The operation can be sent. */
    public static final WorkspaceOutput READY = new WorkspaceOutput(Outcome.SUCCEEDED, "");
  }

  /**
   * Idempotent and cancellable; never touches a workspace whose operation runs, but waits for its
   * end first.
   */
  @ActivityMethod(name = "EnsureWorkspace")
  WorkspaceOutput ensureWorkspace(WorkspaceInput input);
}
