package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the objects of a kind with an informer and makes a new one whenever it stops, so that
 * neither an API server that is away at the start nor a missing CustomResourceDefinition ends the
 * process.
 */
final class ObjectWatch implements WatchCache {
  private static final Logger log = LoggerFactory.getLogger(ObjectWatch.class);

  private final ObjectApi api;
  private final ResourceEventHandler<GenericKubernetesResource> handler;
  private final Pause pause;
  private final Backoff backoff;
  private final AtomicLong starts = new AtomicLong();
  private final AtomicReference<Optional<SharedIndexInformer<GenericKubernetesResource>>> current =
      new AtomicReference<>(Optional.empty());
  private volatile String complaint = "";

  /**
   * Makes a watch that is not started.
   *
   * @param handler must not block
   * @param longestPause between two tries to begin a watch
   */
  ObjectWatch(
      ObjectApi api,
      ResourceEventHandler<GenericKubernetesResource> handler,
      Duration longestPause,
      Pause pause) {
    this.api = api;
    this.handler = handler;
    this.pause = pause;
    this.backoff = new Backoff(Duration.ofSeconds(1), longestPause);
  }

  /** Watches until interrupted. */
  void run() throws InterruptedException {
    while (true) {
      watchOnce();
      pause.sleep(backoff.failed());
    }
  }

  /** Whether the first list has arrived and the API server sends what changes. */
  boolean watching() {
    return current.get().map(i -> i.hasSynced() && i.isWatching()).orElse(false);
  }

  /** How many times a watch was begun, in vain or not. */
  long starts() {
    return starts.get();
  }

  /** How many objects there are, as far as is known now. */
  int size() {
    return current.get().map(informer -> informer.getStore().listKeys().size()).orElse(0);
  }

  @Override
  public Optional<Map<String, String>> versions() {
    return current.get().filter(SharedIndexInformer::hasSynced).map(ObjectWatch::versions);
  }

  private static Map<String, String> versions(
      SharedIndexInformer<GenericKubernetesResource> informer) {
    Map<String, String> versions = new HashMap<>();
    for (GenericKubernetesResource stack : informer.getStore().list()) {
      versions.put(stack.getMetadata().getUid(), stack.getMetadata().getResourceVersion());
    }
    return versions;
  }

  @Override
  public void restart() {
    current.getAndSet(Optional.empty()).ifPresent(SharedIndexInformer::stop);
  }

  private void watchOnce() throws InterruptedException {
    starts.incrementAndGet();
    try {
      // An informer that cannot list logs an error with a trace on every try.
      api.probe();
      inform();
    } catch (KubernetesClientException e) {
      endIfInterrupted();
      complain(e);
    }
  }

  /** The client reports an interrupted call as a failed one. */
  static void endIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private void inform() throws InterruptedException {
    SharedIndexInformer<GenericKubernetesResource> informer = api.informer();
    CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    informer.addEventHandler(handler);
    informer.exceptionHandler(
        (started, failure) -> {
          // What still comes from an informer that was stopped on purpose is no trouble.
          boolean wanted = current.get().equals(Optional.of(informer));
          if (wanted) {
            complain(failure);
          }
          return started && wanted;
        });
    current.set(Optional.of(informer));
    try {
      informer.stopped().whenComplete((done, failure) -> ended.complete(null));
      informer.start().whenComplete((done, failure) -> started(failure, ended));
      ended.get();
    } catch (ExecutionException e) {
      complain(e);
    } finally {
      if (informer.hasSynced()) {
        backoff.succeeded();
      }
      current.set(Optional.empty());
      informer.stop();
    }
  }

  private void started(@Nullable Throwable failure, CompletableFuture<@Nullable Void> ended) {
    if (failure == null) {
      log.info("Watching {}", api.resource());
      complaint = "";
    } else {
      ended.complete(null);
    }
  }

  /** Logs a trouble once, not on every try. */
  private void complain(Throwable failure) {
    String text = explain(api.resource(), failure);
    if (!text.equals(complaint)) {
      complaint = text;
      log.warn("{} cannot be watched; trying until they can: {}", api.resource(), text);
    }
  }

  /** What a person has to know of a failure to read objects of this kind. */
  static String explain(String resource, Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof KubernetesClientException e) {
        return switch (e.getCode()) {
          case 404 ->
              "the CustomResourceDefinition %s is not installed; %s"
                  .formatted(
                      resource,
                      resource.endsWith(".pulumi.com")
                          ? "install the definitions that come with Reprise (kubectl apply"
                              + " --server-side)"
                          : "install what brings it, or change the Stacks that refer to it");
          case 401 -> "the API server does not accept the credentials (401)";
          case 403 -> "no right to list and watch %s (403); grant it by RBAC".formatted(resource);
          case 0 -> rootCause(e).toString();
          default -> String.valueOf(e.getMessage());
        };
      }
    }
    return failure.toString();
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable root = failure;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      root = t;
    }
    return root;
  }
}
