package dev.reprise.watcher;

import dev.reprise.workflows.activity.StackRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One source, the Stacks that use it, and when to ask it next. */
final class PolledSource {
  private final SourceQuery.Ask ask;
  private final Map<String, User> users = new HashMap<>();
  private Instant due;
  private boolean underWay;

  /** Makes a source that is asked first at a time of its own within the interval. */
  PolledSource(SourceQuery query, Instant now) {
    this.ask = query.ask();
    // Multiplied, as similar names have hash codes close to each other.
    long spread = (query.key().hashCode() * 0x9E3779B97F4A7C15L) >>> 33;
    this.due = now.plusMillis(spread % query.interval().toMillis());
  }

  SourceQuery.Ask ask() {
    return ask;
  }

  synchronized Instant due() {
    return due;
  }

  synchronized void put(User user) {
    users.put(user.stack.uid(), user);
  }

  /** Removes a Stack; whether none is left. */
  synchronized boolean remove(String uid) {
    users.remove(uid);
    return users.isEmpty();
  }

  synchronized Collection<User> users() {
    return List.copyOf(users.values());
  }

  /** Whether to ask now; then not again before it was answered and the interval has passed. */
  synchronized boolean begin(Instant now) {
    if (underWay || now.isBefore(due)) {
      return false;
    }
    underWay = true;
    due = now.plus(interval());
    return true;
  }

  synchronized void end() {
    underWay = false;
  }

  private Duration interval() {
    return users.values().stream()
        .map(user -> user.query.interval())
        .min(Duration::compareTo)
        .orElse(Duration.ofMinutes(1));
  }

  /**
   * A Stack that uses a source.
   *
   * @param lastRevision the revision of its last attempt; "" = none yet
   */
  record User(StackRef stack, String lastRevision, SourceQuery query) {}
}
