package dev.reprise.watcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is to be delivered: at most one desire per Stack, the newest, in the order in which the
 * Stacks came to want something. So it is never longer than there are Stacks.
 */
final class DesireQueue {
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Waiting> byUid = new LinkedHashMap<>();

  DesireQueue(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Adds a desire in place of an older one of that Stack, whose turn it keeps. A delay asked for by
   * either is kept, but does not begin afresh with the same wish.
   */
  void offer(Desire desire) {
    lock.lock();
    try {
      Instant due = clock.instant().plus(desire.delay());
      byUid.merge(
          desire.stack().uid(),
          new Waiting(desire, due),
          (old, young) -> old.keepsTimeFor(young) ? new Waiting(desire, old.due) : young);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Puts a desire that could not be delivered at the end, unless a newer one has come. */
  void putBack(Desire desire) {
    lock.lock();
    try {
      byUid.putIfAbsent(desire.stack().uid(), new Waiting(desire, clock.instant()));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The Stack is gone. */
  void remove(String uid) {
    lock.lock();
    try {
      byUid.remove(uid);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the first desire that is due, waiting for one. */
  Desire take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Optional<Desire> due = poll();
        if (due.isPresent()) {
          return due.get();
        }
        changed.await(untilNext(), TimeUnit.MILLISECONDS);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes the first desire that is due now. */
  Optional<Desire> poll() {
    lock.lock();
    try {
      Instant now = clock.instant();
      Iterator<Waiting> all = byUid.values().iterator();
      while (all.hasNext()) {
        Waiting next = all.next();
        if (!next.due.isAfter(now)) {
          all.remove();
          return Optional.of(next.desire);
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return byUid.size();
    } finally {
      lock.unlock();
    }
  }

  /** Milliseconds; looking once a minute costs nothing and needs no special case. */
  private long untilNext() {
    Instant now = clock.instant();
    return byUid.values().stream()
        .mapToLong(waiting -> Math.max(1, Duration.between(now, waiting.due).toMillis()))
        .min()
        .orElse(60_000);
  }

  private record Waiting(Desire desire, Instant due) {
    boolean keepsTimeFor(Waiting young) {
      return desire.wish().equals(young.desire.wish()) || due.isAfter(young.due);
    }
  }
}
