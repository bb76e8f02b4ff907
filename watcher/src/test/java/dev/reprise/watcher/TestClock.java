package dev.reprise.watcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
final class TestClock implements InstantSource {
  private volatile Instant now = Stacks.NOW;

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }
}
