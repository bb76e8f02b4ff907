package dev.reprise.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.reprise.cli.ops.LogFormat;
import dev.reprise.cli.ops.Logs;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Options of the processes that run for long: metrics, health, logs. */
final class OpsOptions {
  static final String METRICS = "--metrics-address";
  static final String HEALTH = "--health-address";

  private static final List<Level> LEVELS =
      List.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE);

  /** Set in every container of a cluster. */
  private static final String IN_CLUSTER = "KUBERNETES_SERVICE_HOST";

  @Option(
      names = METRICS,
      paramLabel = "HOST:PORT",
      defaultValue = "${env:REPRISE_METRICS_ADDRESS:-}",
      description =
          "Serve metrics for Prometheus at /metrics; 'off' = not. Also REPRISE_METRICS_ADDRESS"
              + " (default: :8383 in a cluster, else off).")
  String metrics = "";

  @Option(
      names = HEALTH,
      paramLabel = "HOST:PORT",
      defaultValue = "${env:REPRISE_HEALTH_ADDRESS:-}",
      description =
          "Serve /healthz and /readyz; 'off' = not. Also REPRISE_HEALTH_ADDRESS (default: :8081 in"
              + " a cluster, else off).")
  String health = "";

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "${env:REPRISE_LOG_FORMAT:-text}",
      description =
          "'text', or 'json': one object for each line. Also REPRISE_LOG_FORMAT (default: text).")
  LogFormat format = LogFormat.TEXT;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      defaultValue = "${env:REPRISE_LOG_LEVEL:-}",
      description =
          "The least Reprise logs: error, warn, info, debug or trace. Also REPRISE_LOG_LEVEL"
              + " (default: info).")
  String level = "";

  /**
   * The logs of this process, at the level asked for.
   *
   * @throws UserProblem when there is no such level
   */
  Logs logs() {
    Logs logs = new Logs((LoggerContext) LoggerFactory.getILoggerFactory(), format);
    if (!level.isEmpty()) {
      logs.level(
          LEVELS.stream()
              .filter(known -> known.levelStr.equalsIgnoreCase(level))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UserProblem(
                          "--log-level \"%s\": use error, warn, info, debug or trace"
                              .formatted(level))));
    }
    return logs;
  }

  String metricsAddress(Map<String, String> environment, boolean inCluster) {
    return address(metrics, environment, inCluster ? ":8383" : "");
  }

  String healthAddress(Map<String, String> environment, boolean inCluster) {
    return address(health, environment, inCluster ? ":8081" : "");
  }

  private static String address(String given, Map<String, String> environment, String inCluster) {
    return given.isEmpty() && environment.containsKey(IN_CLUSTER) ? inCluster : given;
  }
}
