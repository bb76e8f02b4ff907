package dev.reprise.watcher;

import java.time.Duration;

/** Waits; replaced in tests. */
@FunctionalInterface
interface Pause {
  /** Waits on the wall clock. */
  Pause REAL = Thread::sleep;

  void sleep(Duration duration) throws InterruptedException;
}
