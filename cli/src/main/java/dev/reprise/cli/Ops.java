package dev.reprise.cli;

import dev.reprise.activities.context.ActivityContext;
import dev.reprise.cli.ops.Health;
import dev.reprise.cli.ops.Health.Probe;
import dev.reprise.cli.ops.ListenAddress;
import dev.reprise.cli.ops.Logs;
import dev.reprise.cli.ops.Metrics;
import dev.reprise.cli.ops.OpsException;
import dev.reprise.cli.ops.OpsServer;
import dev.reprise.cli.ops.PollFailures;
import dev.reprise.watcher.Watcher;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process is watched by while it runs. It answers before the process can do any work. */
final class Ops implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Ops.class);

  private final Metrics metrics = new Metrics();
  private final Health health = new Health();
  private final PollFailures pollFailures;
  private final ActivityContext activities = new ActivityContext();
  private final Map<InetSocketAddress, OpsServer> servers = new HashMap<>();
  private final Map<String, Integer> ports = new TreeMap<>();
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private Ops(PollFailures pollFailures) {
    this.pollFailures = pollFailures;
  }

  /**
   * Listens where the options say.
   *
   * @param inCluster whether there are addresses for a process in a cluster that names none
   * @throws UserProblem when it cannot
   */
  static Ops start(
      OpsOptions options, Logs logs, Map<String, String> environment, boolean inCluster) {
    Ops ops = new Ops(logs.foldPollFailures(InstantSource.system()));
    try {
      Optional<InetSocketAddress> metrics =
          ListenAddress.of(OpsOptions.METRICS, options.metricsAddress(environment, inCluster));
      Optional<InetSocketAddress> health =
          ListenAddress.of(OpsOptions.HEALTH, options.healthAddress(environment, inCluster));
      if (metrics.isPresent()) {
        ops.listen(OpsOptions.METRICS, metrics.get()).serve(ops.metrics);
      }
      if (health.isPresent()) {
        ops.listen(OpsOptions.HEALTH, health.get()).serve(ops.health);
      }
      return ops;
    } catch (OpsException e) {
      ops.close();
      throw new UserProblem(String.valueOf(e.getMessage()), e);
    }
  }

  private OpsServer listen(String setting, InetSocketAddress address) throws OpsException {
    Optional<OpsServer> same =
        Optional.ofNullable(servers.get(address)).filter(there -> address.getPort() != 0);
    OpsServer server = same.isPresent() ? same.get() : OpsServer.listen(setting, address);
    if (same.isEmpty()) {
      servers.put(address, server);
      parts.push(server);
    }
    ports.put(setting, server.port());
    log.info("{} {}:{}", setting, address.getAddress().getHostAddress(), server.port());
    return server;
  }

  /** The port that an option's address has got; 0 = it is off. */
  int port(String setting) {
    return ports.getOrDefault(setting, 0);
  }

  Metrics metrics() {
    return metrics;
  }

  ActivityContext activities() {
    return activities;
  }

  /** Watches the connection to Temporal. */
  void add(TemporalConnection temporal) {
    TemporalProbe probe = new TemporalProbe(temporal, pollFailures::answered);
    parts.push(probe);
    metrics.addTemporal(() -> probe.problem().isEmpty());
    health.add(Probe.READY, "temporal", probe::problem);
  }

  void add(Watcher watcher) {
    metrics.add(watcher, InstantSource.system());
    health.add(
        Probe.READY,
        "watch",
        () -> watcher.healthy() ? "" : "Stacks cannot be watched; the log says why");
    health.add(
        Probe.ALIVE,
        "watcher",
        () -> {
          List<String> ended = watcher.endedLoops();
          // Asking for the numbers takes the locks that the loops work under.
          return ended.isEmpty() && watcher.stats().queued() >= 0 ? "" : "ended: " + ended;
        });
  }

  void add(StackWorker worker) {
    metrics.addFollowed(activities::followed);
    health.add(Probe.READY, "pollers", () -> worker.polling() ? "" : "not started");
    health.add(Probe.ALIVE, "worker", () -> worker.ended() ? "it has shut down" : "");
  }

  /** A process that has to wait for another operator to go is not ready. */
  void add(OperatorGuard guard) {
    health.add(
        Probe.READY,
        "operator",
        () -> guard.clear() ? "" : "the Pulumi Kubernetes Operator works, or it is not known yet");
  }

  /** Readiness of a worker that has yet to wait for something. */
  void addWaiting(String name) {
    health.add(Probe.READY, name, () -> "not started");
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        log.warn("a part did not end in order", e);
      }
    }
    health.close();
    metrics.close();
  }
}
