package dev.reprise.workflows.endurance;

import dev.reprise.workflows.decision.Outcome;
import dev.reprise.workflows.decision.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What is to happen to one Stack, drawn by lot: the same seed draws the same script.
 *
 * @param seed the lot
 * @param forgets whether the worker remembers no run between two tasks
 * @param trimAfter events of a history after which an idle run continues as new
 * @param retry the Stack's policy
 * @param resync the Stack's resync period; zero = none
 * @param destroyOnDelete whether a deletion asks for a destroy
 * @param deletedInTheEnd whether the Stack is deleted once all else has been checked
 * @param operations how those that reach the agent go, in order; later ones succeed at once
 * @param preparations how those of the workspace go, likewise
 * @param steps what others do
 */
record Script(
    long seed,
    boolean forgets,
    int trimAfter,
    RetryPolicy retry,
    Duration resync,
    boolean destroyOnDelete,
    boolean deletedInTheEnd,
    List<Plan> operations,
    List<Plan> preparations,
    List<Step> steps) {
  private static final int LONG_HISTORY = 2_000;

  /** What others do to a Stack or to its run. The number is how often it is drawn. */
  enum Event {
    EDIT(14),
    TOKEN(8),
    REVISION(8),
    INPUTS(6),
    RETRY(8),
    RETRY_RESETTING(5),
    HOLD(6),
    RESUME(7),
    PAUSE(5),
    UNPAUSE(6),
    WAKE(8),
    CANCEL_OPERATION(6),
    CANCEL_RUN(4),
    TERMINATE_RUN(4),
    OBSERVING_FAILS(5),
    REPORTING_FAILS(5),
    MARKING_FAILS(3),
    PREREQUISITE_MISSING(4),
    PREREQUISITE_SATISFIED(5),
    SOURCE_AWAY(3),
    SOURCE_BACK(4),
    DELETE(3);

    private final int weight;

    Event(int weight) {
      this.weight = weight;
    }

    private static Event draw(Random lot) {
      int left = lot.nextInt(List.of(values()).stream().mapToInt(event -> event.weight).sum());
      for (Event event : values()) {
        left -= event.weight;
        if (left < 0) {
          return event;
        }
      }
      throw new AssertionError("more was drawn than there is");
    }
  }

  /**
   * One event.
   *
   * @param after so long after the one before, in skipped time; zero = the next moment
   * @param number says how often, how long or which, by the event
   */
  record Step(Duration after, Event event, int number) {
    private static Step draw(Random lot) {
      return new Step(pause(lot), Event.draw(lot), 1 + lot.nextInt(9));
    }

    private static Duration pause(Random lot) {
      int drawn = lot.nextInt(100);
      if (drawn < 50) {
        return Duration.ZERO;
      }
      if (drawn < 70) {
        return Duration.ofSeconds(1 + lot.nextInt(5));
      }
      return drawn < 85
          ? Duration.ofSeconds(10 + lot.nextInt(80))
          : Duration.ofMinutes(1 + lot.nextInt(drawn < 96 ? 20 : 180));
    }

    @Override
    public String toString() {
      return "+%s %s %d".formatted(after.toString().substring(2), event, number);
    }
  }

  /** How something at the agent goes on until its end. */
  enum Course {
    AT_ONCE,
    /** For some milliseconds of real time, with heartbeats, so that a cancel reaches it. */
    FOLLOWED,
    /** For some minutes of skipped time, while nobody follows it. */
    UNSEEN
  }

  /**
   * How an operation or a preparation goes.
   *
   * @param outcome how it ends
   * @param time how long that takes
   * @param found how an operation that was interrupted turns out to have ended when somebody asks
   *     again; {@code INTERRUPTED} = the agent knows nothing of it
   */
  record Plan(Outcome outcome, Course course, Duration time, Outcome found) {
    static final Plan WELL =
        new Plan(Outcome.SUCCEEDED, Course.AT_ONCE, Duration.ZERO, Outcome.INTERRUPTED);

    private static Plan draw(Random lot, List<Outcome> outcomes) {
      Outcome outcome = outcomes.get(lot.nextInt(outcomes.size()));
      Outcome found =
          List.of(Outcome.INTERRUPTED, Outcome.SUCCEEDED, Outcome.OPERATION_FAILED)
              .get(lot.nextInt(3));
      int drawn = lot.nextInt(10);
      if (drawn < 5) {
        return new Plan(outcome, Course.AT_ONCE, Duration.ZERO, found);
      }
      return drawn < 7
          ? new Plan(outcome, Course.FOLLOWED, Duration.ofMillis(10 + lot.nextInt(240)), found)
          : new Plan(outcome, Course.UNSEEN, Duration.ofSeconds(3 + lot.nextInt(900)), found);
    }

    @Override
    public String toString() {
      return outcome == Outcome.INTERRUPTED
          ? "%s (found %s) %s %s".formatted(outcome, found, course, time)
          : "%s %s %s".formatted(outcome, course, time);
    }
  }

  static Script draw(long seed) {
    Random lot = new Random(seed * 0x9E3779B97F4A7C15L);
    return new Script(
        seed,
        seed % 2 == 0,
        List.of(30, 60, LONG_HISTORY).get(lot.nextInt(3)),
        new RetryPolicy(
            Duration.ofMinutes(1), Duration.ofMinutes(10), lot.nextInt(6) == 0 ? 3 : 0, 0),
        lot.nextInt(4) == 0 ? Duration.ofHours(1) : Duration.ZERO,
        lot.nextInt(4) > 0,
        lot.nextBoolean(),
        plans(lot, 4 + lot.nextInt(10), operationOutcomes()),
        plans(lot, 3 + lot.nextInt(8), preparationOutcomes()),
        steps(lot));
  }

  private static List<Step> steps(Random lot) {
    int number = 6 + lot.nextInt(15);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      steps.add(Step.draw(lot));
    }
    return List.copyOf(steps);
  }

  private static List<Plan> plans(Random lot, int number, List<Outcome> outcomes) {
    List<Plan> plans = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      plans.add(Plan.draw(lot, outcomes));
    }
    return List.copyOf(plans);
  }

  /** What stands here more than once is drawn more often. */
  private static List<Outcome> operationOutcomes() {
    return List.of(
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.OPERATION_FAILED,
        Outcome.OPERATION_FAILED,
        Outcome.OPERATION_FAILED,
        Outcome.OPERATION_FAILED,
        Outcome.INTERRUPTED,
        Outcome.INTERRUPTED,
        Outcome.UPDATE_CONFLICT,
        Outcome.SUPERSEDED,
        Outcome.PENDING_OPERATIONS,
        Outcome.IDLE_TIMEOUT);
  }

  private static List<Outcome> preparationOutcomes() {
    return List.of(
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.SUCCEEDED,
        Outcome.WORKSPACE_FAILED,
        Outcome.UNREACHABLE);
  }

  /** One line for each step. */
  @Override
  public String toString() {
    return """
    seed %d, %s worker, trimmed after %d events, %s, resync %s, destroyOnDelete %s
    operations: %s
    preparations: %s
    %s"""
        .formatted(
            seed,
            forgets ? "forgetful" : "remembering",
            trimAfter,
            retry,
            resync,
            destroyOnDelete,
            operations,
            preparations,
            steps.stream().map(Step::toString).collect(Collectors.joining("\n")));
  }
}
