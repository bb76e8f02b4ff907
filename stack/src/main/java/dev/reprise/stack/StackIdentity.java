package dev.reprise.stack;

/**
 * Which Stack this is and what is asked of it, readable also when its spec is not. Absent texts are
 * empty.
 *
 * @param generation counts the versions of the spec
 * @param deleting whether deletion was requested
 * @param finalizerPresent whether {@value #FINALIZER} holds the object back
 * @param reconcileRequest the force token; another value than before asks for an attempt now
 * @param pause why the annotation {@value #PAUSED} pauses the Stack; empty: it does not
 * @param upStarted whether an update was marked as started, so that a deletion may have something
 *     to destroy
 */
public record StackIdentity(
    String namespace,
    String name,
    String uid,
    long generation,
    String resourceVersion,
    boolean deleting,
    boolean finalizerPresent,
    String reconcileRequest,
    String pause,
    boolean upStarted) {
  /**
   * The finalizer, under the Pulumi Kubernetes Operator's name so that either can take over from
   * the other.
   */
  public static final String FINALIZER = "finalizer.stack.pulumi.com";

  /** The annotation that holds the force token. */
  public static final String RECONCILE_REQUEST = "pulumi.com/reconciliation-request";

  /** The annotation that pauses a Stack; its value is the reason, or just "true". */
  public static final String PAUSED = "reprise.dev/paused";

  /** The annotation that marks a Stack before its first update is sent. */
  public static final String UP_STARTED = "reprise.dev/up-started";
}
