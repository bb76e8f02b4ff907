package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.StackState;
import java.util.List;

/**
 * The input of one run, small and additive: unknown fields are ignored, so newer and older workers
 * can read each other's.
 *
 * @param stack the Stack
 * @param cluster names the cluster among those that share the Temporal namespace
 * @param generation the generation this run is for; 0 = whatever the first observation shows
 * @param carried whether {@code state} was carried over from an earlier run; otherwise it is read
 *     from the Stack's status
 * @param state what earlier runs remember
 * @param events Kubernetes events the run before could not emit any more
 * @param trimAfterEvents continue as new, when idle, once the history has so many events
 */
public record StackRun(
    StackRef stack,
    String cluster,
    long generation,
    boolean carried,
    StackState state,
    List<StackEvent> events,
    int trimAfterEvents) {

  /** Some 50 attempts: replaying as many events takes about 20 ms. */
  public static final int TRIM_AFTER_EVENTS = 2_000;

  /** The first run of a Stack. */
  public static StackRun first(StackRef stack, String cluster) {
    return new StackRun(stack, cluster, 0, false, StackState.EMPTY, List.of(), TRIM_AFTER_EVENTS);
  }

  StackRun next(long newGeneration, boolean seeded, StackState newState, List<StackEvent> unsent) {
    return new StackRun(stack, cluster, newGeneration, seeded, newState, unsent, trimAfterEvents);
  }
}
