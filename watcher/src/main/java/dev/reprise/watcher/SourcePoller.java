package dev.reprise.watcher;

import dev.reprise.stack.Stack;
import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.source.SourceUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every source that Stacks share once per interval what it points at, and wakes the Stacks
 * whose last attempt was made with something else. The first questions are spread over the
 * interval, so the later ones are as well.
 */
final class SourcePoller {
  private static final Logger log = LoggerFactory.getLogger(SourcePoller.class);
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Many hosts that hang must not fill the process with connections. */
  private static final int MOST_AT_ONCE = 64;

  private final SourceQueries queries;
  private final Outbox outbox;
  private final Executor executor;
  private final InstantSource clock;
  private final Map<String, PolledSource.User> byUid = new HashMap<>();
  private final Map<Object, PolledSource> byKey = new HashMap<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /**
   * Makes a poller.
   *
   * @param executor runs the questions, each on its own, so that a slow source delays no other
   */
  SourcePoller(SourceQueries queries, Outbox outbox, Executor executor, InstantSource clock) {
    this.queries = queries;
    this.outbox = outbox;
    this.executor = executor;
    this.clock = clock;
  }

  /** Asks what is due, every second, until interrupted. */
  void run(Pause pause) throws InterruptedException {
    while (true) {
      pause.sleep(TICK);
      tick();
    }
  }

  /** Notes which source a Stack uses and which revision its last attempt was made with. */
  void seen(Stack stack) {
    user(stack).ifPresentOrElse(this::put, () -> forget(stack.identity().uid()));
  }

  /** The Stack is gone. */
  synchronized void forget(String uid) {
    PolledSource.User old = byUid.remove(uid);
    if (old != null) {
      byKey.computeIfPresent(
          old.query().key(), (key, source) -> source.remove(uid) ? null : source);
    }
  }

  /** Starts the questions that are due. */
  void tick() {
    Instant now = clock.instant();
    for (PolledSource source : sources()) {
      if (underWay.get() < MOST_AT_ONCE && source.begin(now)) {
        underWay.incrementAndGet();
        executor.execute(() -> ask(source));
      }
    }
  }

  /** How many questions were asked. */
  long asked() {
    return asked.get();
  }

  /** How many of them were not answered. */
  long failures() {
    return failures.get();
  }

  private Optional<PolledSource.User> user(Stack stack) {
    StackIdentity identity = stack.identity();
    String last = stack.status().retry().last().revision();
    return identity.deleting()
        ? Optional.empty()
        : queries
            .of(stack)
            .map(query -> new PolledSource.User(DesireGate.ref(identity), last, query));
  }

  private synchronized void put(PolledSource.User user) {
    PolledSource.User old = byUid.put(user.stack().uid(), user);
    if (old != null && !old.query().key().equals(user.query().key())) {
      byKey.computeIfPresent(
          old.query().key(), (key, source) -> source.remove(old.stack().uid()) ? null : source);
    }
    byKey
        .computeIfAbsent(user.query().key(), key -> new PolledSource(user.query(), clock.instant()))
        .put(user);
  }

  /** The longest due first, so that none is passed over for ever. */
  private synchronized List<PolledSource> sources() {
    return byKey.values().stream().sorted(Comparator.comparing(PolledSource::due)).toList();
  }

  private void ask(PolledSource source) {
    asked.incrementAndGet();
    try {
      String revision = source.ask().revision();
      source.users().forEach(user -> compare(user, revision));
    } catch (SourceUnavailable e) {
      failures.incrementAndGet();
      // The workflow shows it on the Stack when it matters there.
      log.debug("{}", e.getMessage());
    } catch (RuntimeException e) {
      failures.incrementAndGet();
      log.warn("A source could not be asked", e);
    } finally {
      source.end();
      underWay.decrementAndGet();
    }
  }

  private void compare(PolledSource.User user, String revision) {
    if (user.lastRevision().equals(revision)) {
      outbox.fulfilled(user.stack().uid(), Desire.Topic.SOURCE);
    } else if (!user.lastRevision().isEmpty()) {
      outbox.offer(
          new Desire(user.stack(), Desire.Topic.SOURCE, "source has moved", "now " + revision));
    }
  }
}
