package dev.reprise.dev.kube;

import dev.reprise.dev.KeptStateException;
import dev.reprise.dev.PortInUseException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Kubernetes API server in this JVM: on loopback only, in memory, guarded by a bearer token made
 * at start. Namespaces {@code default} and {@code kube-system} exist from the beginning. Its
 * objects can be kept in a file, from which the next start takes them over.
 */
public final class EmbeddedKubernetes implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final int CALL_SECONDS = 10;
  private static final int REQUEST_LINE_BYTES = 64 << 10;

  /**
   * How to start.
   *
   * @param port the port, or 0 for a free one
   * @param eventLogSize how many changes are kept for watches that resume; at least 1
   * @param file where the objects are kept between two starts, or {@link #NOT_KEPT}
   */
  public record Options(int port, int eventLogSize, Path file) {
    /** Everything is forgotten at the end. */
    public static final Path NOT_KEPT = Path.of("");

    /** A free port, a log of 10,000 changes, and nothing kept. */
    public static Options defaults() {
      return new Options(0, 10_000, NOT_KEPT);
    }

    /** The same on a given port. */
    public Options onPort(int wanted) {
      return new Options(wanted, eventLogSize, file);
    }

    /** The same with another length of the log. */
    public Options keepingEvents(int count) {
      return new Options(port, count, file);
    }

    /**
     * The same with objects that outlive this process, also when it is killed. Secrets are among
     * them in clear text, so the file has mode 0600.
     */
    public Options keptIn(Path wanted) {
      return new Options(port, eventLogSize, wanted);
    }
  }

  private final Vertx vertx;
  private final Context loop;
  private final Api api;
  private final Faults faults;
  private final RequestLog requests = new RequestLog();
  private final String token;
  private int port;

  private EmbeddedKubernetes(Options options) {
    api = new Api(options.eventLogSize(), options.file());
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
    loop = vertx.getOrCreateContext();
    faults = new Faults(this::onLoop, api);
    byte[] secret = new byte[24];
    new SecureRandom().nextBytes(secret);
    token = HexFormat.of().formatHex(secret);
  }

  /** Starts with the defaults. */
  public static EmbeddedKubernetes start() {
    return start(Options.defaults());
  }

  /**
   * Starts and waits, at most ten seconds, until the port accepts connections.
   *
   * @throws PortInUseException when the given port is taken
   * @throws KeptStateException when the file of the options cannot be used
   */
  public static EmbeddedKubernetes start(Options options) {
    EmbeddedKubernetes server = new EmbeddedKubernetes(options);
    try {
      server.listen(options.port());
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private void listen(int wanted) {
    onLoop(() -> List.of("default", "kube-system").forEach(this::createNamespace));
    HttpFront front = new HttpFront(vertx, api, faults, requests, token);
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(LOOPBACK)
            .setPort(wanted)
            .setMaxInitialLineLength(REQUEST_LINE_BYTES);
    CompletableFuture<HttpServer> listening = new CompletableFuture<>();
    loop.runOnContext(
        go ->
            vertx
                .createHttpServer(options)
                .requestHandler(front::accept)
                .listen()
                .onSuccess(listening::complete)
                .onFailure(listening::completeExceptionally));
    try {
      port = await(listening).actualPort();
    } catch (ExecutionException e) {
      if (PortInUseException.isBehind(e)) {
        throw new PortInUseException("the embedded Kubernetes API", wanted, e);
      }
      throw new IllegalStateException("the embedded Kubernetes API did not start", e);
    }
  }

  private void createNamespace(String name) {
    if (api.store().get("namespaces", "", name).isPresent()) {
      return;
    }
    ResourceType type = api.registry().find("", "v1", "namespaces").orElseThrow();
    ObjectNode namespace = Json.object().put("kind", "Namespace").put("apiVersion", "v1");
    namespace.putObject("metadata").put("name", name);
    api.handle(
        new ApiRequest(
            "create", type, "", "", "", Map.of(), "", "", "reprise-dev", Json.write(namespace)));
  }

  /** Runs a task on the event loop and waits for it. */
  private void onLoop(Runnable task) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    loop.runOnContext(
        go -> {
          try {
            task.run();
            done.complete(true);
          } catch (RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    try {
      await(done);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the embedded Kubernetes API failed", e);
    }
  }

  private static <T> T await(CompletableFuture<T> future) throws ExecutionException {
    try {
      return future.get(CALL_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "the embedded Kubernetes API did not answer within " + CALL_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Where the API is served, such as {@code http://127.0.0.1:41234}. */
  public URI url() {
    return URI.create("http://" + LOOPBACK + ":" + port);
  }

  /** The bearer token that every request must carry. */
  public String token() {
    return token;
  }

  /**
   * The text of a kubeconfig file for kubectl and other processes. The token is part of the
   * server's address there, because kubectl sends credentials over TLS only.
   */
  public String kubeconfig() {
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: reprise-dev
          cluster:
            server: %s/%s
        users:
        - name: reprise-dev
          user: {}
        contexts:
        - name: reprise-dev
          context:
            cluster: reprise-dev
            user: reprise-dev
            namespace: default
        current-context: reprise-dev
        """
        .formatted(url(), token);
  }

  /**
   * A new client for this server. It takes nothing from the environment and does not retry by
   * itself. The caller closes it.
   */
  public KubernetesClient client() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(url().toString())
            .withOauthToken(token)
            .withNamespace("default")
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Makes the server misbehave. */
  public Faults faults() {
    return faults;
  }

  /** The requests for objects that came in; discovery is not among them. */
  public RequestLog requests() {
    return requests;
  }

  /** How many watches are open. */
  public int openWatches() {
    CompletableFuture<Integer> size = new CompletableFuture<>();
    onLoop(() -> size.complete(api.watches().size()));
    return size.join();
  }

  /** Ends all connections and forgets everything that is not kept in a file. */
  @Override
  public void close() {
    Future<Void> closed = vertx.close();
    try (api) {
      await(closed.toCompletionStage().toCompletableFuture());
    } catch (ExecutionException e) {
      throw new IllegalStateException("the embedded Kubernetes API did not stop", e);
    }
  }
}
