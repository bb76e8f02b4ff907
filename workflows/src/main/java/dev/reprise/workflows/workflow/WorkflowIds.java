package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.StackRef;
import java.nio.charset.StandardCharsets;

/** The workflow id of a Stack: one id, so at most one open run, per Stack. */
public final class WorkflowIds {
  /** Temporal's SQL stores keep 255 characters. */
  private static final int LONGEST = 255;

  private WorkflowIds() {}

  /** {@code stack/<namespace>/<name>/<uid>}, or {@code stack/<uid>} where that is too long. */
  public static String of(StackRef stack) {
    String id = "stack/%s/%s/%s".formatted(stack.namespace(), stack.name(), stack.uid());
    return id.getBytes(StandardCharsets.UTF_8).length <= LONGEST ? id : "stack/" + stack.uid();
  }
}
