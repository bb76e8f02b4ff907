package dev.reprise.e2e.engine;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Temporal's development server with its Web UI, its data in a file. */
public final class DevTemporal implements Temporal {
  private static final Duration READY = Duration.ofMinutes(2);

  private final Programs programs;
  private final String host;
  private final int port;
  private final int uiPort;
  private final Daemon server;

  /**
   * Starts one and waits until it answers.
   *
   * @param folder for its data and log
   * @param host the address that it and its Web UI listen at
   */
  public DevTemporal(Programs programs, Path folder, String host) {
    this.programs = programs;
    this.host = host;
    this.port = Ports.free(host);
    this.uiPort = Ports.free(host);
    this.server =
        Daemon.of(
            new Daemon.Recipe(
                "temporal",
                folder,
                Map.of(),
                List.of(
                    programs.path("temporal"),
                    "server",
                    "start-dev",
                    // At another address than all of them its own parts do not find each other.
                    "--ip=0.0.0.0",
                    "--port=" + port,
                    "--ui-port=" + uiPort,
                    "--db-filename=temporal.db",
                    "--log-level=warn")));
    awaitReady();
  }

  private void awaitReady() {
    await("Temporal's development server to answer")
        .atMost(READY)
        .pollInterval(Duration.ofMillis(500))
        .failFast("the server has ended, see its log", () -> !server.alive())
        .until(() -> answers(programs, address()));
  }

  private static boolean answers(Programs programs, String address) {
    return Commands.tried(
                Map.of(),
                "",
                List.of(
                    programs.path("temporal"),
                    "operator",
                    "namespace",
                    "describe",
                    "--namespace=default",
                    "--address=" + address,
                    "--command-timeout=5s"))
            .exitCode()
        == 0;
  }

  @Override
  public String address() {
    return host + ":" + port;
  }

  /** Where people look at it. */
  public String webUi() {
    return "http://" + host + ":" + uiPort;
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
    awaitReady();
  }

  @Override
  public void close() {
    server.close();
  }
}
