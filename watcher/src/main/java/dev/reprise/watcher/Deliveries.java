package dev.reprise.watcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Remembers what was delivered, so that a status nobody can write causes no storm of signals: a
 * wish that still stands is delivered again after 10 minutes, doubling to a day; a new one at once.
 */
final class Deliveries {
  private static final Duration FIRST_REPEAT = Duration.ofMinutes(10);
  private static final Duration LONGEST_REPEAT = Duration.ofDays(1);

  private final InstantSource clock;
  private final Map<String, Map<Desire.Topic, Delivered>> byUid = new HashMap<>();

  Deliveries(InstantSource clock) {
    this.clock = clock;
  }

  /** Whether the desire is new, or stands long enough to be delivered again. */
  synchronized boolean due(Desire desire) {
    Delivered last = last(desire);
    return !last.wish.equals(desire.wish()) || !clock.instant().isBefore(last.at.plus(last.repeat));
  }

  /** Notes a delivery. */
  synchronized void delivered(Desire desire) {
    Delivered last = last(desire);
    Duration repeat = last.wish.equals(desire.wish()) ? doubled(last.repeat) : FIRST_REPEAT;
    byUid
        .computeIfAbsent(desire.stack().uid(), uid -> new EnumMap<>(Desire.Topic.class))
        .put(desire.topic(), new Delivered(desire.wish(), clock.instant(), repeat));
  }

  /** The wish of a topic was fulfilled; the same one later is new. */
  synchronized void fulfilled(String uid, Desire.Topic topic) {
    byUid.computeIfPresent(
        uid,
        (key, topics) -> {
          topics.remove(topic);
          return topics.isEmpty() ? null : topics;
        });
  }

  /** The Stack is gone. */
  synchronized void forget(String uid) {
    byUid.remove(uid);
  }

  /** The uids that something is remembered of. */
  synchronized Set<String> uids() {
    return Set.copyOf(byUid.keySet());
  }

  private Delivered last(Desire desire) {
    return byUid
        .getOrDefault(desire.stack().uid(), Map.of())
        .getOrDefault(desire.topic(), Delivered.NEVER);
  }

  private static Duration doubled(Duration repeat) {
    Duration twice = repeat.multipliedBy(2);
    return twice.compareTo(LONGEST_REPEAT) < 0 ? twice : LONGEST_REPEAT;
  }

  private record Delivered(String wish, Instant at, Duration repeat) {
    /** No wish is empty. */
    static final Delivered NEVER = new Delivered("", Instant.EPOCH, Duration.ZERO);
  }
}
