package dev.reprise.dev.temporal;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Temporal's dev server, run by the {@code temporal} program as a child process, with its Web UI.
 */
public final class TemporalCli implements TemporalService {
  private static final String WORKFLOW_SERVICE = "temporal.api.workflowservice.v1.WorkflowService";
  private static final Duration ATTEMPT_LIMIT = Duration.ofSeconds(2);
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(100);
  private static final long END_SECONDS = 10;
  private static final int LOG_LINES = 10;
  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final long LOG_TAIL_BYTES = 16 << 10;

  /**
   * How to start it.
   *
   * @param program the executable
   * @param port for gRPC, or 0 for a free one
   * @param uiPort for the Web UI, or 0 for a free one
   * @param database the file that keeps workflows between starts
   * @param log the file that gets what the program prints
   * @param searchAttributes names and types, such as {@code StackName} and {@code Keyword}
   * @param startLimit how long it may take until it serves
   */
  public record Options(
      Path program,
      int port,
      int uiPort,
      Path database,
      Path log,
      Map<String, String> searchAttributes,
      Duration startLimit) {
    public Options {
      searchAttributes = Map.copyOf(searchAttributes);
    }
  }

  private final Process process;
  private final int port;
  private final int uiPort;

  private TemporalCli(Process process, int port, int uiPort) {
    this.process = process;
    this.port = port;
    this.uiPort = uiPort;
  }

  /**
   * Starts the program and waits until it serves.
   *
   * @throws IllegalStateException when it ends or does not serve in time, with the last lines that
   *     it printed
   */
  public static TemporalCli start(Options options) {
    int port = options.port() == 0 ? freePort() : options.port();
    int uiPort = options.uiPort() == 0 ? freePort() : options.uiPort();
    Process process;
    try {
      process =
          new ProcessBuilder(command(options, port, uiPort))
              .redirectErrorStream(true)
              .redirectOutput(options.log().toFile())
              .start();
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + options.program(), e);
    }
    TemporalCli service = new TemporalCli(process, port, uiPort);
    try {
      service.awaitServing(options);
      return service;
    } catch (RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private static List<String> command(Options options, int port, int uiPort) {
    List<String> command = new ArrayList<>(guard());
    command.addAll(List.of(options.program().toString(), "server", "start-dev"));
    command.addAll(List.of("--ip", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--ui-port", Integer.toString(uiPort)));
    command.addAll(List.of("--db-filename", options.database().toString()));
    command.addAll(List.of("--log-level", "warn"));
    options.searchAttributes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry ->
                command.addAll(
                    List.of("--search-attribute", entry.getKey() + "=" + entry.getValue())));
    return command;
  }

  /**
   * Where Linux's own tools are there: a session of its own, because Ctrl-C in the terminal is not
   * meant for it yet, and its end when this process is killed. The signal comes when the thread
   * that started it ends, so that has to be one that lives as long as the process.
   */
  private static List<String> guard() {
    return Files.isExecutable(SETPRIV) && Files.isExecutable(SETSID)
        ? List.of(SETPRIV.toString(), "--pdeathsig", "TERM", SETSID.toString())
        : List.of();
  }

  private void awaitServing(Options options) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      long deadline = System.nanoTime() + options.startLimit().toNanos();
      while (!serves(channel)) {
        if (!process.isAlive()) {
          throw failure(options, "ended with exit code " + process.exitValue());
        }
        if (System.nanoTime() > deadline) {
          throw failure(options, "does not serve after " + options.startLimit().toSeconds() + " s");
        }
        // Doubles as the pause between attempts: true means that the program has ended.
        if (process.waitFor(BETWEEN_ATTEMPTS.toMillis(), TimeUnit.MILLISECONDS)) {
          throw failure(options, "ended with exit code " + process.exitValue());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the Temporal dev server starts", e);
    } finally {
      channel.shutdownNow();
    }
  }

  private static boolean serves(ManagedChannel channel) {
    HealthCheckRequest request =
        HealthCheckRequest.newBuilder().setService(WORKFLOW_SERVICE).build();
    try {
      return HealthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(ATTEMPT_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
              .check(request)
              .getStatus()
          == ServingStatus.SERVING;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  private static IllegalStateException failure(Options options, String what) {
    return new IllegalStateException(
        "the Temporal dev server (%s) %s; its last lines, also in %s:%n%s"
            .formatted(options.program(), what, options.log(), tail(options.log())));
  }

  private static String tail(Path log) {
    try (var file = Files.newByteChannel(log)) {
      file.position(Math.max(0, file.size() - LOG_TAIL_BYTES));
      String text =
          new String(
              java.nio.channels.Channels.newInputStream(file).readAllBytes(),
              StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      return String.join(
          System.lineSeparator(),
          lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "(unreadable: " + e.getMessage() + ")";
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on 127.0.0.1", e);
    }
  }

  @Override
  public String target() {
    return "127.0.0.1:" + port;
  }

  @Override
  public Optional<URI> webUi() {
    return Optional.of(URI.create("http://127.0.0.1:" + uiPort));
  }

  /** Whether the child process is still there. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Asks the program to end and kills it when it has not after ten seconds. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
