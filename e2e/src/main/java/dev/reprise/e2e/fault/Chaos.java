package dev.reprise.e2e.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Does a fault again and again at moments drawn by a seed while a load goes on. */
public final class Chaos {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Random random;
  private final Duration longestPause;
  private final int most;

  /**
   * A plan.
   *
   * @param seed draws the moments
   * @param longestPause between the recovery from one fault and the next fault; the shortest is 0
   * @param most how many faults at most
   */
  public Chaos(long seed, Duration longestPause, int most) {
    this.random = new Random(seed);
    this.longestPause = longestPause;
    this.most = most;
  }

  /** A fault. */
  @FunctionalInterface
  public interface Fault {
    /** Does it, and undoes it where it does not undo itself. */
    void happen(Random random);
  }

  /**
   * Does the fault until the load has ended.
   *
   * @return for each fault the time from its end to the next step of some operation
   */
  public List<Duration> during(Load load, Load.Running running, Fault fault) {
    List<Duration> recoveries = new ArrayList<>();
    while (running.goesOn() && recoveries.size() < most) {
      pause(running);
      if (!running.goesOn()) {
        break;
      }
      fault.happen(random);
      recoveries.add(recovery(load, running));
    }
    return recoveries;
  }

  private void pause(Load.Running running) {
    Instant until = Instant.now().plusMillis(random.nextLong(longestPause.toMillis()));
    Awaitility.await()
        .atMost(longestPause.plusMinutes(1))
        .until(() -> !running.goesOn() || Instant.now().isAfter(until));
  }

  private static Duration recovery(Load load, Load.Running running) {
    Instant begun = Instant.now();
    long before = load.steps();
    try {
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> load.steps() > before || !running.goesOn());
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException("nothing went on for " + LIMIT + " after a fault", e);
    }
    return Duration.between(begun, Instant.now());
  }
}
