package dev.reprise.workflows.workflow;

/**
 * The three task queues of a cluster, so that nothing long holds up something short.
 *
 * @param stacks workflow tasks and short calls to the API server
 * @param workspaces preparing workspaces, minutes
 * @param operations following operations, hours
 */
public record TaskQueues(String stacks, String workspaces, String operations) {

  /** The queues of a cluster, which may share its Temporal namespace with others. */
  public static TaskQueues of(String cluster) {
    String prefix = "reprise-" + cluster + "-";
    return new TaskQueues(prefix + "stacks", prefix + "workspaces", prefix + "operations");
  }
}
