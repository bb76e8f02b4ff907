package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The watches on what Stacks refer to: one for each kind, begun when the first Stack refers to it.
 * Where only metadata matter, only they are asked for.
 */
final class ReferenceWatches {
  /** One without the right to watch is told of once; somebody may grant it any time. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** A watch that has gone quiet is found out by listing anew. */
  private static final Duration RELIST = Duration.ofMinutes(30);

  private final KubernetesClient whole;
  private final KubernetesClient metadata;
  private final String namespace;
  private final Pause pause;
  private final BiConsumer<String, ObjectWatch> starter;
  private final Map<String, ObjectWatch> watches = new ConcurrentHashMap<>();

  /**
   * Makes none yet.
   *
   * @param whole a client that gets whole objects
   * @param metadata one that gets metadata only
   * @param namespace "" = all
   * @param starter runs a watch in a thread of its own until the watcher is closed
   */
  ReferenceWatches(
      KubernetesClient whole,
      KubernetesClient metadata,
      String namespace,
      Pause pause,
      BiConsumer<String, ObjectWatch> starter) {
    this.whole = whole;
    this.metadata = metadata;
    this.namespace = namespace;
    this.pause = pause;
    this.starter = starter;
  }

  /** Begins to watch a kind, unless it is watched already. */
  void want(ReferencedKind kind, References references) {
    if (!watches.containsKey(kind.resource())) {
      KubernetesClient client = kind.metadataOnly() ? metadata : whole;
      ObjectWatch watch =
          new ObjectWatch(
              new ObjectApi(client, kind.context(), namespace),
              new Handler(kind, references),
              LONGEST_PAUSE,
              pause);
      if (watches.putIfAbsent(kind.resource(), watch) == null) {
        starter.accept(kind.resource(), watch);
      }
    }
  }

  /** How many Programs there are, as far as they are watched. */
  int programs() {
    return watches.entrySet().stream()
        .filter(watch -> watch.getKey().startsWith("programs.pulumi.com"))
        .mapToInt(watch -> watch.getValue().size())
        .sum();
  }

  /** Lists everything anew from time to time, until interrupted. */
  void relist() throws InterruptedException {
    while (true) {
      pause.sleep(RELIST);
      watches.values().forEach(ObjectWatch::restart);
    }
  }

  private record Handler(ReferencedKind kind, References references)
      implements ResourceEventHandler<GenericKubernetesResource> {
    @Override
    public void onAdd(GenericKubernetesResource object) {
      references.seen(kind.key(object), kind.sight(object));
    }

    @Override
    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
      references.seen(kind.key(object), kind.sight(object));
    }

    @Override
    public void onDelete(GenericKubernetesResource object, boolean lastStateUnknown) {
      references.gone(kind.key(object));
    }
  }
}
