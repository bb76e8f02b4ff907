package dev.reprise.workflows.workflow;

import dev.reprise.workflows.condition.Situation;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.StackState;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributeUpdate;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The columns and filters of the Web UI's list. Values are never secret: they are always plain. */
public final class RunSearchAttributes {
  /** Which cluster's Stack it is. */
  public static final SearchAttributeKey<String> CLUSTER =
      SearchAttributeKey.forKeyword("StackCluster");

  /** Namespace and name. */
  public static final SearchAttributeKey<String> NAME = SearchAttributeKey.forKeyword("StackName");

  /** The generation the run works on. */
  public static final SearchAttributeKey<String> GENERATION =
      SearchAttributeKey.forKeyword("StackGeneration");

  /** See {@link dev.reprise.workflows.condition.Phase#word()}. */
  public static final SearchAttributeKey<String> PHASE =
      SearchAttributeKey.forKeyword("StackPhase");

  /** Consecutive failures. */
  public static final SearchAttributeKey<Long> FAILURES =
      SearchAttributeKey.forLong("StackFailures");

  /** When the next attempt starts by itself; absent when none is planned. */
  public static final SearchAttributeKey<OffsetDateTime> NEXT_ATTEMPT =
      SearchAttributeKey.forOffsetDateTime("StackNextAttempt");

  /** All of them, to be registered with the namespace. */
  public static final List<SearchAttributeKey<?>> ALL =
      List.of(CLUSTER, NAME, GENERATION, PHASE, FAILURES, NEXT_ATTEMPT);

  private final StackRun run;
  private List<String> shown = List.of();

  RunSearchAttributes(StackRun run) {
    this.run = run;
  }

  /** Upserts in one command, and only what can be and has changed. */
  void show(Observation seen, StackState state, Situation situation) {
    List<String> values =
        List.of(
            Long.toString(seen.generation()),
            situation.phase().word(),
            Integer.toString(state.failures()),
            situation.nextAttempt().toString());
    if (values.equals(shown) || seen.searchAttributes().isEmpty()) {
      return;
    }
    shown = values;
    List<SearchAttributeUpdate<?>> updates = new ArrayList<>();
    for (SearchAttributeUpdate<?> update : updates(seen, state, situation)) {
      if (seen.searchAttributes().contains(update.getKey().getName())) {
        updates.add(update);
      }
    }
    if (!updates.isEmpty()) {
      Workflow.upsertTypedSearchAttributes(updates.toArray(new SearchAttributeUpdate<?>[0]));
    }
  }

  private List<SearchAttributeUpdate<?>> updates(
      Observation seen, StackState state, Situation situation) {
    Instant next = situation.nextAttempt();
    return List.of(
        CLUSTER.valueSet(run.cluster()),
        NAME.valueSet(run.stack().toString()),
        GENERATION.valueSet(Long.toString(seen.generation())),
        PHASE.valueSet(situation.phase().word()),
        FAILURES.valueSet((long) state.failures()),
        situation.attemptPlanned()
            ? NEXT_ATTEMPT.valueSet(next.atOffset(ZoneOffset.UTC))
            : NEXT_ATTEMPT.valueUnset());
  }
}
