package dev.reprise.e2e.engine;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Temporal's production server on PostgreSQL, with its four services in one process and a namespace
 * {@code default}. Its search attributes are left to whoever uses it, as in any installation.
 */
public final class ProductionTemporal implements Temporal {
  private static final Duration READY = Duration.ofMinutes(2);
  private static final String LOOPBACK = "127.0.0.1";

  private final Programs programs;
  private final String host;
  private final List<Integer> ports;
  private final PostgreSql database;
  private final Daemon server;

  /**
   * Makes a database, starts a server on it and waits until it answers.
   *
   * @param folder for its configuration and log
   * @param host the address its frontend listens at; all else listens at the loopback address
   */
  public ProductionTemporal(Programs programs, Path folder, String host) {
    this.programs = programs;
    this.host = host;
    this.ports = freePorts();
    this.database = new PostgreSql();
    try {
      makeSchema("temporal", "temporal");
      makeSchema("temporal_visibility", "visibility");
      TextFiles.write(folder.resolve("config/development.yaml"), configuration());
      this.server = Daemon.of(recipe(folder));
      awaitReady();
    } catch (RuntimeException e) {
      // Nobody else would end it.
      database.close();
      throw e;
    }
  }

  private Daemon.Recipe recipe(Path folder) {
    return new Daemon.Recipe(
        "temporal-server",
        folder,
        Map.of(),
        List.of(
            programs.path("temporal-server"),
            "--env=development",
            "--root=" + folder.toAbsolutePath(),
            "--config=config",
            "start"));
  }

  /** A port for gRPC and one for membership for each of the four services. */
  private List<Integer> freePorts() {
    Set<Integer> free = new TreeSet<>();
    while (free.size() < 8) {
      free.add(Ports.free(host));
    }
    return new ArrayList<>(free);
  }

  private void makeSchema(String name, String schema) {
    sql(name, "create-database");
    sql(name, "setup-schema", "-v", "0.0");
    sql(name, "update-schema", "--schema-name", "postgresql/v12/" + schema);
  }

  private void sql(String name, String... action) {
    List<String> command =
        new ArrayList<>(
            List.of(
                programs.path("temporal-sql-tool"),
                "--plugin=postgres12",
                "--ep=" + PostgreSql.HOST,
                "--port=" + database.port(),
                "--user=" + PostgreSql.USER,
                "--db=" + name));
    command.addAll(List.of(action));
    Commands.run(command);
  }

  /**
   * Without a broadcast address each service tells the others the address it listens at. Four
   * shards: the fewest that still spread workflows.
   */
  private String configuration() {
    return """
    log: {stdout: true, level: warn}
    persistence:
      defaultStore: default
      visibilityStore: visibility
      numHistoryShards: 4
      datastores:
        default: {sql: %s}
        visibility: {sql: %s}
    global:
      membership: {maxJoinDuration: 30s}
    services:
      frontend: {rpc: {bindOnIP: "%s", grpcPort: %d, membershipPort: %d}}
      history: %s
      matching: %s
      worker: %s
    clusterMetadata:
      enableGlobalNamespace: false
      failoverVersionIncrement: 10
      masterClusterName: active
      currentClusterName: active
      clusterInformation:
        active: {enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "%s"}
    dcRedirectionPolicy: {policy: noop}
    publicClient: {hostPort: "%s"}
    """
        .formatted(
            store("temporal", 20),
            store("temporal_visibility", 5),
            host,
            ports.get(0),
            ports.get(1),
            loopback(1),
            loopback(2),
            loopback(3),
            address(),
            address());
  }

  private String store(String name, int connections) {
    return ("{pluginName: postgres12, databaseName: %s, connectAddr: \"%s:%d\","
            + " connectProtocol: tcp, user: %s, maxConns: %d, maxIdleConns: %d,"
            + " maxConnLifetime: 1h}")
        .formatted(
            name, PostgreSql.HOST, database.port(), PostgreSql.USER, connections, connections);
  }

  private String loopback(int service) {
    return "{rpc: {bindOnIP: \"%s\", grpcPort: %d, membershipPort: %d}}"
        .formatted(LOOPBACK, ports.get(2 * service), ports.get(2 * service + 1));
  }

  private void awaitReady() {
    await("Temporal's production server to answer")
        .atMost(READY)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              if (!server.alive()) {
                throw new IllegalStateException("Temporal's server has ended: " + server.log());
              }
              return usable() || makeNamespace();
            });
  }

  /** Some moments pass between the making of a namespace and its use. */
  private boolean usable() {
    return succeeds("search-attribute", "list");
  }

  private boolean makeNamespace() {
    return succeeds("namespace", "create", "--retention=72h") && usable();
  }

  private boolean succeeds(String... operator) {
    List<String> command = new ArrayList<>(List.of(programs.path("temporal"), "operator"));
    command.addAll(List.of(operator));
    command.addAll(
        List.of("--namespace=default", "--address=" + address(), "--command-timeout=5s"));
    return Commands.tried(Map.of(), "", command).exitCode() == 0;
  }

  @Override
  public String address() {
    return host + ":" + ports.get(0);
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

  /** Ends the database without warning; the server goes on without it. */
  public void killDatabase() {
    database.kill();
  }

  /** Starts the database again and waits until it answers and the server answers with it. */
  public void restartDatabase() {
    database.restart();
    awaitReady();
  }

  @Override
  public void close() {
    server.close();
    database.close();
  }
}
