package dev.reprise.cli.ops;

import dev.reprise.watcher.StackSight;
import dev.reprise.watcher.StackSight.Shown;
import dev.reprise.workflows.decision.OperationKind;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Numbers about Stacks, as the watcher sees them: the Pulumi Kubernetes Operator's by its names,
 * and ours. A series of a single Stack exists while it is true, and no longer.
 */
final class StackMeters implements Runnable {
  private static final List<String> KINDS =
      Stream.of(OperationKind.values()).map(OperationKind::word).toList();

  private static final Duration LATE = Duration.ofMinutes(1);

  private final Supplier<List<StackSight>> stacks;
  private final InstantSource clock;
  private final MultiGauge failing;
  private final MultiGauge reconciling;
  private final MultiGauge shown;
  private final MultiGauge running;
  private volatile Counts counts = new Counts(0, 0, 0, Double.NaN);

  private record Counts(int active, int coolingDown, int late, double nextAttempt) {}

  StackMeters(MeterRegistry registry, Supplier<List<StackSight>> stacks, InstantSource clock) {
    this.stacks = stacks;
    this.clock = clock;
    failing =
        MultiGauge.builder("stacks.failing")
            .description("1 for each Stack whose last update failed")
            .register(registry);
    reconciling =
        MultiGauge.builder("stacks.reconciling")
            .description("1 for each Stack that is Reconciling")
            .register(registry);
    shown =
        MultiGauge.builder("reprise.stacks")
            .description("Stacks by the condition that is true")
            .register(registry);
    running =
        MultiGauge.builder("reprise.operations.running")
            .description("Operations that run, as the Stacks' status says")
            .register(registry);
    gauge(registry, "stacks.active", "Stacks that exist", () -> counts.active());
    gauge(
        registry,
        "reprise.stacks.cooling.down",
        "Stacks that wait for their next attempt after a failure",
        () -> counts.coolingDown());
    gauge(
        registry,
        "reprise.stacks.late",
        "Stacks whose next attempt should have begun more than a minute ago",
        () -> counts.late());
    Gauge.builder("reprise.next.attempt", () -> counts.nextAttempt())
        .description("Until the earliest planned attempt; below 0 it is late; NaN = none planned")
        .baseUnit("seconds")
        .register(registry);
  }

  private static void gauge(
      MeterRegistry registry, String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  @Override
  public void run() {
    List<StackSight> now = stacks.get();
    Instant time = clock.instant();
    List<Instant> planned =
        now.stream().filter(StackSight::coolingDown).map(StackSight::nextAttempt).sorted().toList();
    counts =
        new Counts(
            now.size(),
            planned.size(),
            (int) planned.stream().filter(next -> next.plus(LATE).isBefore(time)).count(),
            planned.isEmpty() ? Double.NaN : seconds(time, planned.getFirst()));
    failing.register(each(now, StackSight::failing), true);
    reconciling.register(each(now, stack -> stack.shown() == Shown.RECONCILING), true);
    shown.register(byCondition(now), true);
    running.register(byKind(now), true);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1_000.0;
  }

  private static List<MultiGauge.Row<?>> each(
      List<StackSight> stacks, Predicate<StackSight> which) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (StackSight stack : stacks) {
      if (which.test(stack)) {
        rows.add(row(Tags.of("namespace", stack.namespace(), "name", stack.name()), 1));
      }
    }
    return rows;
  }

  private static List<MultiGauge.Row<?>> byCondition(List<StackSight> stacks) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (Shown condition : Shown.values()) {
      long count = stacks.stream().filter(stack -> stack.shown() == condition).count();
      rows.add(row(Tags.of("condition", condition.word()), count));
    }
    return rows;
  }

  private static List<MultiGauge.Row<?>> byKind(List<StackSight> stacks) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (String kind : KINDS) {
      long count = stacks.stream().filter(stack -> stack.running().equals(kind)).count();
      rows.add(row(Tags.of("kind", kind), count));
    }
    return rows;
  }

  private static MultiGauge.Row<?> row(Tags tags, long value) {
    return MultiGauge.Row.of(tags, value);
  }
}
