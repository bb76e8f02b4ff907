package dev.reprise.cli.ops;

import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import dev.reprise.watcher.Watcher;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All numbers of a process, in the form Prometheus reads. */
public final class Metrics implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Metrics.class);

  /** How late a count of the SDK or of a run may show. */
  private static final Duration REPORTED_EVERY = Duration.ofSeconds(5);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Scope scope;
  private final List<Runnable> refreshing = new CopyOnWriteArrayList<>();

  /** Numbers of the Java process, until more is added. */
  public Metrics() {
    this(REPORTED_EVERY);
  }

  Metrics(Duration reportedEvery) {
    registry.config().meterFilter(new Buckets());
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    gc.bindTo(registry);
    scope =
        new RootScopeBuilder()
            .reporter(new MicrometerClientStatsReporter(registry))
            .reportEvery(com.uber.m3.util.Duration.ofMillis((double) reportedEvery.toMillis()));
  }

  /** Where Temporal's SDK, and runs through it, put theirs. */
  public Scope scope() {
    return scope;
  }

  /** Adds what the watcher knows of all Stacks, and how it fares itself. */
  public void add(Watcher watcher, InstantSource clock) {
    refreshing.add(new StackMeters(registry, watcher::stacks, clock));
    refreshing.add(new WatcherMeters(registry, watcher::stats, watcher::healthy, clock));
  }

  /**
   * Adds the operations that this process follows.
   *
   * @param followed how many of each kind
   */
  public void addFollowed(Supplier<Map<String, Integer>> followed) {
    for (String kind : followed.get().keySet()) {
      Gauge.builder("reprise.operations.followed", () -> followed.get().getOrDefault(kind, 0))
          .description("Operations whose stream from the agent this worker follows")
          .tag("kind", kind)
          .register(registry);
    }
  }

  /** Adds whether Temporal answers. */
  public void addTemporal(BooleanSupplier answers) {
    Gauge.builder("reprise.temporal.reachable", () -> answers.getAsBoolean() ? 1 : 0)
        .description("1 while Temporal answers this process")
        .register(registry);
  }

  /** The numbers now. */
  synchronized String scrape() {
    refreshing.forEach(Runnable::run);
    return registry.scrape();
  }

  @Override
  public void close() {
    gc.close();
    try {
      // Closes the registry too, through its reporter.
      scope.close();
    } catch (ScopeCloseException e) {
      log.warn("metrics did not end in order", e);
    }
  }
}
