package dev.reprise.watcher;

import dev.reprise.workflows.activity.LogKeys;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Delivers the queue, one call at a time. While Temporal is away the whole queue waits, as every
 * call would fail; a desire that Temporal refuses is left for later and holds up no other.
 */
final class Deliverer {
  private static final Logger log = LoggerFactory.getLogger(Deliverer.class);
  private static final Duration WHILE_SUSPENDED = Duration.ofSeconds(1);

  private final DesireQueue queue;
  private final Deliveries deliveries;
  private final RunStarter starter;
  private final Pause pause;
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong unreachable = new AtomicLong();
  private volatile boolean suspended;
  private boolean away;

  Deliverer(DesireQueue queue, Deliveries deliveries, RunStarter starter, Pause pause) {
    this.queue = queue;
    this.deliveries = deliveries;
    this.starter = starter;
    this.pause = pause;
  }

  /** Delivers until interrupted. */
  void run() throws InterruptedException {
    while (true) {
      deliver(queue.take());
    }
  }

  /** Keeps what is wanted until it may be delivered. */
  void suspend(boolean suspend) {
    suspended = suspend;
  }

  void deliver(Desire desire) throws InterruptedException {
    if (suspended) {
      queue.putBack(desire);
      pause.sleep(WHILE_SUSPENDED);
      return;
    }
    // It may have been offered again while the call for it was under way.
    if (!deliveries.due(desire)) {
      return;
    }
    try (var s = MDC.putCloseable(LogKeys.STACK, desire.stack().toString())) {
      call(desire);
    }
  }

  private void call(Desire desire) throws InterruptedException {
    switch (starter.deliver(desire)) {
      case RunStarter.Delivery.Delivered ok -> {
        delivered.incrementAndGet();
        settled(desire);
        log.debug("Stack {}: woken: {}", desire.stack(), desire.reason());
      }
      case RunStarter.Delivery.Refused(String why) -> {
        refused.incrementAndGet();
        settled(desire);
        log.warn("Stack {}: Temporal refuses to wake its workflow: {}", desire.stack(), why);
      }
      case RunStarter.Delivery.Unreachable(String why) -> {
        unreachable.incrementAndGet();
        queue.putBack(desire);
        Duration wait = backoff.failed();
        if (!away) {
          log.warn("Temporal does not take signals; trying until it does: {}", why);
        }
        away = true;
        pause.sleep(wait);
      }
    }
  }

  long delivered() {
    return delivered.get();
  }

  long refused() {
    return refused.get();
  }

  long unreachable() {
    return unreachable.get();
  }

  private void settled(Desire desire) {
    deliveries.delivered(desire);
    backoff.succeeded();
    if (away) {
      log.info("Temporal takes signals again");
      away = false;
    }
  }
}
