package dev.reprise.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The two questions of the Kubernetes API that an agent asks, answered as the test says. */
final class FakeApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CREATED = 201;

  /** One request. */
  record Asked(String path, String authorization, JsonNode body) {}

  final List<Asked> asked = new CopyOnWriteArrayList<>();
  final Path tokenFile;
  volatile int status = CREATED;
  volatile String message = "";
  volatile boolean allowed = true;
  volatile String audience = "shop.team";
  volatile CountDownLatch gate = new CountDownLatch(0);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);

  FakeApi(Path folder) throws IOException {
    tokenFile = folder.resolve("token");
    Files.writeString(tokenFile, "own-1\n");
    server.createContext("/apis/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  ClusterApi address() {
    return new ClusterApi(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
        tokenFile,
        Path.of(""),
        "team/runner");
  }

  long tokenReviews() {
    return asked.stream().filter(a -> a.path().endsWith("/tokenreviews")).count();
  }

  long accessReviews() {
    return asked.size() - tokenReviews();
  }

  private void answer(HttpExchange exchange) throws IOException {
    JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
    String path = exchange.getRequestURI().getPath();
    asked.add(
        new Asked(
            path, String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")), body));
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    byte[] answer = answer(path, body).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, answer.length);
    exchange.getResponseBody().write(answer);
    exchange.close();
  }

  /** Tokens that begin with {@code good} are good; the rest of the word is the user's name. */
  private String answer(String path, JsonNode body) {
    if (status != CREATED) {
      return "{\"kind\": \"Status\", \"message\": \"" + message + "\"}";
    }
    if (path.equals("/apis/authentication.k8s.io/v1/tokenreviews")) {
      String token = body.path("spec").path("token").asText();
      String name = token.startsWith("good") ? token.split("\\.", -1)[0] : "";
      return name.isEmpty()
          ? "{\"status\": {\"authenticated\": false, \"error\": \"token is expired\"}}"
          : """
            {"status": {"authenticated": true, "audiences": ["%s"], "user": {
             "username": "system:serviceaccount:ops:%s", "uid": "u-1", "groups": ["g1", "g2"],
             "extra": {"k": ["v"]}}}}
            """
              .formatted(audience, name);
    }
    return "{\"status\": {\"allowed\": " + allowed + ", \"reason\": \"no rule\"}}";
  }

  @Override
  public void close() {
    gate.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
