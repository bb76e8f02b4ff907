package dev.reprise.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.reprise.agent.tls.Certificates;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Posts an object to the API server and gives back what it answers; holds no thread meanwhile. */
final class ApiClient {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** With the body, which the limit of the request does not cover. */
  private static final Duration WHOLE_LIMIT = Duration.ofSeconds(15);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterApi api;
  private final Executor executor;
  private Optional<HttpClient> client = Optional.empty();

  ApiClient(ClusterApi api, Executor executor) {
    this.api = api;
    this.executor = executor;
  }

  /**
   * What the server answered.
   *
   * @param status the HTTP status
   * @param body the object; a Status object if something was wrong; missing if it is no JSON
   */
  record Answer(int status, JsonNode body) {}

  ClusterApi api() {
    return api;
  }

  /** Completes with the answer within 15 seconds, or exceptionally with an {@link IOException}. */
  CompletableFuture<Answer> post(String path, JsonNode object) {
    HttpRequest request;
    HttpClient current;
    try {
      request =
          HttpRequest.newBuilder(api.server().resolve(path))
              .header("Authorization", "Bearer " + Files.readString(api.tokenFile()).strip())
              .header("Content-Type", "application/json")
              .header("Accept", "application/json")
              .timeout(LIMIT)
              .POST(HttpRequest.BodyPublishers.ofString(object.toString()))
              .build();
      current = client();
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return current
        .sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
        .orTimeout(WHOLE_LIMIT.toSeconds(), TimeUnit.SECONDS)
        .whenComplete((answer, failure) -> forgetUntrusted(current, failure))
        .thenApply(answer -> new Answer(answer.statusCode(), parse(answer.body())));
  }

  private static JsonNode parse(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException notJson) {
      return JSON.missingNode();
    }
  }

  /** A new certificate authority is mounted without a restart: read again after a mismatch. */
  private synchronized void forgetUntrusted(HttpClient used, @Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SSLException) {
        client = client.filter(current -> !current.equals(used));
        return;
      }
    }
  }

  private synchronized HttpClient client() throws IOException {
    if (client.isPresent()) {
      return client.get();
    }
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT)
            .executor(executor);
    if (!api.caFile().toString().isEmpty()) {
      builder.sslContext(Certificates.only(api.caFile()));
    }
    HttpClient made = builder.build();
    client = Optional.of(made);
    return made;
  }
}
