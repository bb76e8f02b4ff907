package dev.reprise.cli.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.reprise.cli.ops.Health.Probe;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers scrapers and probes over HTTP, at one address. */
public final class OpsServer implements AutoCloseable {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";

  private static final String SECONDS = "10";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private OpsServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens at an address; nothing is served yet.
   *
   * @param setting the option that names the address, for messages
   * @throws OpsException when the port is taken
   */
  public static OpsServer listen(String setting, InetSocketAddress address) throws OpsException {
    // Read once, when the first server is made: seconds for a request to arrive and to be answered.
    System.setProperty("sun.net.httpserver.maxReqTime", SECONDS);
    System.setProperty("sun.net.httpserver.maxRspTime", SECONDS);
    try {
      OpsServer made = new OpsServer(HttpServer.create(address, 0));
      made.server.setExecutor(made.threads);
      made.server.start();
      return made;
    } catch (IOException e) {
      throw new OpsException(
          "cannot listen at %s (%s); give another address with %s"
              .formatted(address, e.getMessage(), setting),
          e);
    }
  }

  /** The port it listens at. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Serves {@code /metrics}. */
  public void serve(Metrics metrics) {
    serve("/metrics", () -> new Reply(HttpURLConnection.HTTP_OK, METRICS_TYPE, metrics.scrape()));
  }

  /** Serves {@code /healthz} and {@code /readyz}. */
  public void serve(Health health) {
    for (Probe probe : Probe.values()) {
      serve(
          probe.path(),
          () -> {
            Health.Answer answer = health.ask(probe);
            return new Reply(
                answer.healthy() ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE,
                TEXT,
                answer.text());
          });
    }
  }

  private void serve(String path, Replies replies) {
    server.createContext(
        path,
        exchange -> {
          try (exchange) {
            answer(exchange, path, replies);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void answer(HttpExchange exchange, String path, Replies replies)
      throws IOException, InterruptedException {
    if (!exchange.getRequestURI().getPath().equals(path)) {
      exchange.sendResponseHeaders(HttpURLConnection.HTTP_NOT_FOUND, -1);
      return;
    }
    Reply reply = replies.get();
    byte[] body = reply.text().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", reply.type());
    exchange.sendResponseHeaders(reply.code(), body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private record Reply(int code, String type, String text) {}

  @FunctionalInterface
  private interface Replies {
    Reply get() throws InterruptedException;
  }
}
