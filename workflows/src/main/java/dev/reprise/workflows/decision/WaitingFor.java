package dev.reprise.workflows.decision;

import java.util.List;

/**
 * Which prerequisites of a Stack are not satisfied.
 *
 * @param sentences a short sentence for each; empty: all are
 * @param outOfDate those to be asked to run, as nothing but their age or revision is in the way
 * @param cycle the cycle that this Stack is part of and that keeps all in it from ever running; ""
 *     = none
 */
public record WaitingFor(List<String> sentences, List<RunRequest> outOfDate, String cycle) {

  /** Every prerequisite is satisfied. */
  public static final WaitingFor NOTHING = of(List.of());

  /** Prerequisites of which none is to be asked. */
  public static WaitingFor of(List<String> sentences) {
    return new WaitingFor(sentences, List.of(), "");
  }

  /** Whether every prerequisite is satisfied. */
  public boolean nothing() {
    return sentences.isEmpty();
  }
}
