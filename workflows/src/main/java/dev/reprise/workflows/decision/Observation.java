package dev.reprise.workflows.decision;

import java.util.List;

/**
 * One snapshot of everything a decision needs, from one quorum read of the Stack and of what it
 * refers to. Small and free of secrets, because it becomes part of the workflow's history.
 *
 * @param presence whether the Stack could be read at all
 * @param detail why it could not be read; "" when it could
 * @param generation {@code metadata.generation}
 * @param deleting whether a deletion timestamp is set
 * @param finalizer whether our finalizer is on the object
 * @param upMarked whether the annotation "an up has been started" is on the object
 * @param upMayHaveStarted that annotation, or any other trace of an earlier up
 * @param destroyOnDelete whether a deletion asks for a destroy
 * @param kind what the spec asks for while the Stack is not being deleted
 * @param reconcileRequest the force token; "" = none
 * @param reconcileReason why a dependent set that token; "" = nobody says
 * @param pause why the Stack's annotation pauses it; "" = not paused
 * @param policy the Stack's policy with operator-wide defaults filled in
 * @param revision the revision its source points at now; "" = no source, or not known
 * @param inputs digest of the referenced configuration and secrets; "" = not known
 * @param obstacle what stands in the way of any operation but a destroy
 * @param waitingFor the prerequisites that are not satisfied
 * @param shownSequence the sequence number of the status the object shows; 0 = none
 * @param seed the state told by the object's status, for a run that carries none
 * @param searchAttributes the names that are registered with the Temporal namespace
 */
public record Observation(
    Presence presence,
    String detail,
    long generation,
    boolean deleting,
    boolean finalizer,
    boolean upMarked,
    boolean upMayHaveStarted,
    boolean destroyOnDelete,
    OperationKind kind,
    String reconcileRequest,
    String reconcileReason,
    String pause,
    Policy policy,
    String revision,
    String inputs,
    Obstacle obstacle,
    WaitingFor waitingFor,
    long shownSequence,
    StackState seed,
    List<String> searchAttributes) {

  /** Whether the Stack is there. */
  public enum Presence {
    /** It was read. */
    PRESENT,
    /** Verifiably gone: another uid under its name, or a 404 that names this very Stack. */
    GONE,
    /** It cannot be told: the resource definition is missing, or the right to read. */
    UNREADABLE
  }

  /** Whether an attempt decided on for the other would be the right one for this as well. */
  public boolean asksTheSameAs(Observation other) {
    return presence == other.presence
        && generation == other.generation
        && deleting == other.deleting
        && kind == other.kind
        && reconcileRequest.equals(other.reconcileRequest)
        && revision.equals(other.revision)
        && inputs.equals(other.inputs);
  }

  /** A Stack that is verifiably gone. */
  public static Observation gone() {
    return absent(Presence.GONE, "");
  }

  /** A Stack that cannot be read for a reason that is not transient. */
  public static Observation unreadable(String detail) {
    return absent(Presence.UNREADABLE, detail);
  }

  private static Observation absent(Presence presence, String detail) {
    return new Observation(
        presence,
        detail,
        0,
        false,
        false,
        false,
        false,
        false,
        OperationKind.UP,
        "",
        "",
        "",
        Policy.DEFAULT,
        "",
        "",
        Obstacle.NONE,
        WaitingFor.NOTHING,
        0,
        StackState.EMPTY,
        List.of());
  }
}
