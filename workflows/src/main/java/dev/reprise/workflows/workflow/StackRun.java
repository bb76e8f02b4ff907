package dev.reprise.workflows.workflow;

import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.decision.StackState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The input of one run, small and additive: unknown fields are ignored, so newer and older workers
 * can read each other's.
 *
 * @param stack the Stack
 * @param cluster names the cluster among those that share the Temporal namespace
 * @param generation the generation this run is for; 0 = whatever the first observation shows
 * @param state what earlier runs remember; null = nothing was carried over, so it is read from the
 *     Stack's status
 * @param events Kubernetes events the run before could not emit any more
 * @param trimAfterEvents continue as new, when idle, once the history has so many events
 */
public record StackRun(
    StackRef stack,
    String cluster,
    long generation,
    @Nullable StackState state,
    List<StackEvent> events,
    int trimAfterEvents) {

  /** Some 50 attempts: replaying as many events takes about 20 ms. */
  public static final int TRIM_AFTER_EVENTS = 2_000;

  /** The first run of a Stack. */
  public static StackRun first(StackRef stack, String cluster) {
    return new StackRun(stack, cluster, 0, null, List.of(), TRIM_AFTER_EVENTS);
  }

  StackRun next(long newGeneration, @Nullable StackState newState, List<StackEvent> unsent) {
    return new StackRun(stack, cluster, newGeneration, newState, unsent, trimAfterEvents);
  }
}
