package dev.reprise.cli.ops;

import dev.reprise.watcher.WatcherStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** How the watcher fares. All values of one scrape are of one moment. */
final class WatcherMeters implements Runnable {
  private final MeterRegistry registry;
  private final Supplier<WatcherStats> source;
  private volatile WatcherStats stats;

  WatcherMeters(
      MeterRegistry registry,
      Supplier<WatcherStats> source,
      BooleanSupplier healthy,
      InstantSource clock) {
    this.registry = registry;
    this.source = source;
    stats = source.get();
    gauge("programs.active", "Programs that exist, once a Stack refers to one", s -> s.programs());
    gauge(
        "reprise.watcher.healthy",
        "1 while changes of Stacks are seen as they happen",
        s -> healthy.getAsBoolean() ? 1 : 0);
    gauge("reprise.watcher.queued", "Stacks to be woken that are not woken yet", s -> s.queued());
    gauge(
        "reprise.watcher.quiet",
        "1 while the watch has missed changes that a list showed",
        s -> s.watchQuiet() ? 1 : 0);
    Gauge.builder("reprise.watcher.list.age", () -> age(clock))
        .description("Since the last complete list of Stacks; NaN before the first")
        .baseUnit("seconds")
        .register(registry);
    counter("reprise.watcher.delivered", "Wakes that Temporal took", s -> s.delivered());
    counter("reprise.watcher.refused", "Wakes that Temporal refused", s -> s.refused());
    counter(
        "reprise.watcher.unreachable",
        "Wakes tried in vain because Temporal was away",
        s -> s.unreachable());
    counter(
        "reprise.watcher.unreadable",
        "Sights of Stacks that could not be judged",
        s -> s.unreadable());
    counter("reprise.watcher.watches", "Watches of Stacks begun", s -> s.watchStarts());
    counter("reprise.watcher.list.failures", "Lists of Stacks that failed", s -> s.listFailures());
    counter(
        "reprise.source.questions",
        "Questions to git servers about a revision",
        s -> s.sourcesAsked());
    counter("reprise.source.failures", "Questions that were not answered", s -> s.sourceFailures());
  }

  @Override
  public void run() {
    stats = source.get();
  }

  private double age(InstantSource clock) {
    Instant last = stats.lastList();
    return last.equals(Instant.EPOCH)
        ? Double.NaN
        : Duration.between(last, clock.instant()).toMillis() / 1_000.0;
  }

  private void gauge(String name, String description, ToDoubleFunction<WatcherStats> value) {
    Gauge.builder(name, () -> value.applyAsDouble(stats))
        .description(description)
        .register(registry);
  }

  private void counter(String name, String description, ToDoubleFunction<WatcherStats> value) {
    FunctionCounter.builder(name, this, meters -> value.applyAsDouble(meters.stats))
        .description(description)
        .register(registry);
  }
}
