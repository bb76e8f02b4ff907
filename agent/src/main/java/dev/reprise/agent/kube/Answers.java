package dev.reprise.agent.kube;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Answers that are remembered for a while. Those who ask the same while the question is under way
 * share its answer. What could not be answered is forgotten at once.
 *
 * @param <A> an answer
 */
final class Answers<A> {
  private final int most;
  private final Function<A, Duration> goodFor;
  private final InstantSource clock;
  private final Map<String, Entry<A>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long questions;

  private record Entry<A>(long number, CompletableFuture<A> answer, Instant until) {}

  /**
   * @param most answers to keep; the least recently used one goes first
   * @param goodFor how long an answer holds from now; zero for not at all
   */
  Answers(int most, Function<A, Duration> goodFor, InstantSource clock) {
    this.most = most;
    this.goodFor = goodFor;
    this.clock = clock;
  }

  /** The remembered answer, or a new one. */
  CompletableFuture<A> get(String key, Supplier<CompletableFuture<A>> question) {
    CompletableFuture<A> asked;
    long number;
    synchronized (this) {
      Entry<A> known = entries.get(key);
      if (known != null && clock.instant().isBefore(known.until())) {
        return known.answer();
      }
      asked = question.get();
      number = questions++;
      keep(key, new Entry<>(number, asked, Instant.MAX));
    }
    return asked.whenComplete((answer, failure) -> settle(key, number, asked, failure == null));
  }

  private synchronized void settle(
      String key, long number, CompletableFuture<A> asked, boolean answered) {
    Entry<A> known = entries.get(key);
    if (known == null || known.number() != number) {
      return;
    }
    Duration holds = answered ? goodFor.apply(asked.join()) : Duration.ZERO;
    if (holds.isPositive()) {
      entries.put(key, new Entry<>(number, asked, clock.instant().plus(holds)));
    } else {
      entries.remove(key);
    }
  }

  private void keep(String key, Entry<A> entry) {
    entries.put(key, entry);
    Iterator<String> oldest = entries.keySet().iterator();
    while (entries.size() > most && oldest.hasNext()) {
      oldest.next();
      oldest.remove();
    }
  }

  synchronized int size() {
    return entries.size();
  }
}
