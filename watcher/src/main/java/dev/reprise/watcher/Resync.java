package dev.reprise.watcher;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists all Stacks from time to time, independently of the informer, and passes them through the
 * same gate. So a wish is found although its event was lost, and a watch that has gone quiet shows.
 */
final class Resync {
  private static final Logger log = LoggerFactory.getLogger(Resync.class);

  /** How long an event may take from the API server to the informer's cache. */
  static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  private final ObjectLister lister;
  private final WatchCache watch;
  private final Intake intake;
  private final InstantSource clock;
  private final Pause pause;
  private final AtomicLong failures = new AtomicLong();
  private volatile Instant lastList = Instant.EPOCH;
  private volatile boolean quiet;

  Resync(ObjectLister lister, WatchCache watch, Intake intake, InstantSource clock, Pause pause) {
    this.lister = lister;
    this.watch = watch;
    this.intake = intake;
    this.clock = clock;
    this.pause = pause;
  }

  /** Lists every so often, the first time after one interval, until interrupted. */
  void run(Duration interval) throws InterruptedException {
    Duration wait = interval;
    while (true) {
      pause.sleep(wait);
      boolean listed = once();
      wait = listed || interval.compareTo(AFTER_FAILURE) < 0 ? interval : AFTER_FAILURE;
    }
  }

  /** Lists once; whether the list was complete. */
  boolean once() throws InterruptedException {
    Set<String> knownBefore = intake.known();
    Optional<Map<String, String>> cachedBefore = watch.versions();
    Map<String, String> listed = new HashMap<>();
    try {
      lister.forEach(stack -> take(stack, listed));
    } catch (KubernetesClientException e) {
      ObjectWatch.endIfInterrupted();
      failures.incrementAndGet();
      log.warn("Stacks cannot be listed: {}", ObjectWatch.explain("stacks.pulumi.com", e));
      return false;
    }
    lastList = clock.instant();
    // Only those known before: others may have been created behind the list's back.
    knownBefore.stream().filter(uid -> !listed.containsKey(uid)).forEach(intake::gone);
    if (cachedBefore.isPresent()) {
      check(listed, cachedBefore.get());
    }
    return true;
  }

  /** Whether the watch had missed something the last time that was looked at. */
  boolean quiet() {
    return quiet;
  }

  /** The end of the last complete list; the epoch before the first. */
  Instant lastList() {
    return lastList;
  }

  long failures() {
    return failures.get();
  }

  private void take(GenericKubernetesResource stack, Map<String, String> listed) {
    if (stack.getMetadata() != null && stack.getMetadata().getUid() != null) {
      listed.put(stack.getMetadata().getUid(), stack.getMetadata().getResourceVersion());
    }
    intake.seen(stack);
  }

  private void check(Map<String, String> listed, Map<String, String> cachedBefore)
      throws InterruptedException {
    Set<String> suspects = differing(listed, cachedBefore);
    if (!suspects.isEmpty()) {
      pause.sleep(GRACE);
      Optional<Map<String, String>> now = watch.versions();
      suspects.removeIf(
          uid -> now.isEmpty() || !Objects.equals(cachedBefore.get(uid), now.get().get(uid)));
    }
    quiet = !suspects.isEmpty();
    if (quiet) {
      log.warn(
          "The watch has missed changes of {} Stacks that a list shows; watching anew",
          suspects.size());
      watch.restart();
    }
  }

  /**
   * The cache was read before the list began, so where they differ the list is the newer one, and a
   * cache that has not moved some time after is behind.
   */
  private static Set<String> differing(Map<String, String> listed, Map<String, String> cached) {
    Set<String> uids = new HashSet<>(listed.keySet());
    uids.addAll(cached.keySet());
    uids.removeIf(uid -> Objects.equals(listed.get(uid), cached.get(uid)));
    return uids;
  }
}
