package dev.reprise.watcher;

import dev.reprise.stack.StackIdentity;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.status.Condition;
import dev.reprise.stack.status.RetryStatus;
import dev.reprise.stack.status.StackStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What the status of a Stack showed when it was seen last, as far as metrics tell of it.
 *
 * @param failing whether its last operation failed, or the attempts since its last success did
 * @param shown the condition that is true
 * @param nextAttempt when a failed attempt is made again; {@link Instant#MAX} = not planned
 * @param running the kind of the operation that is believed to run; "" = none
 */
public record StackSight(
    String namespace,
    String name,
    boolean failing,
    Shown shown,
    Instant nextAttempt,
    String running) {

  /** The condition that is true. */
  public enum Shown {
    READY,
    RECONCILING,
    STALLED,
    /** None: nobody has taken the Stack up yet. */
    NONE;

    /** As a label: {@code ready}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static StackSight of(GenericKubernetesResource resource) {
    StackIdentity stack = StackReader.identity(resource);
    StackStatus status = StackReader.status(resource);
    RetryStatus retry = status.retry();
    String running = retry.running().kind();
    boolean waiting = running.isEmpty() && !retry.nextAttemptTime().equals(StackStatus.NO_TIME);
    return new StackSight(
        stack.namespace(),
        stack.name(),
        status.lastUpdate().state().equals("failed") || retry.failures() > 0,
        shown(status),
        waiting ? retry.nextAttemptTime() : Instant.MAX,
        running);
  }

  /** Of a Stack whose status has not been read. */
  static StackSight unread(StackIdentity stack) {
    return new StackSight(stack.namespace(), stack.name(), false, Shown.NONE, Instant.MAX, "");
  }

  private static Shown shown(StackStatus status) {
    return Stream.of(Shown.READY, Shown.STALLED, Shown.RECONCILING)
        .filter(shown -> isTrue(status, shown))
        .findFirst()
        .orElse(Shown.NONE);
  }

  private static boolean isTrue(StackStatus status, Shown shown) {
    return status.conditions().stream()
        .filter(condition -> condition.type().equalsIgnoreCase(shown.name()))
        .map(Condition::status)
        .anyMatch("True"::equals);
  }

  /** Whether it waits for its next attempt. */
  public boolean coolingDown() {
    return !nextAttempt.equals(Instant.MAX);
  }
}
