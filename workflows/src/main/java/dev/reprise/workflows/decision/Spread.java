package dev.reprise.workflows.decision;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * A Stack's own place among all others, by which what comes round regularly is moved a little, so
 * that a fleet that was started at once does not move as one for ever. It follows from the Stack's
 * uid alone: a restart, another worker and a replay find the same.
 *
 * @param place from 0 to {@link #PLACES} - 1
 */
public record Spread(long place) {
  /** Fine enough that no two Stacks of a large fleet need to share a second of a day. */
  static final long PLACES = 1_000_000;

  /** A resync comes after its period and at most this part of it more, never earlier. */
  private static final int RESYNC_PARTS = 10;

  private static final Duration DAY = Duration.ofDays(1);

  /** Runs with nothing to do look once a day, in the last hour of it. */
  private static final Duration IDLE_SPREAD = Duration.ofHours(1);

  private static final long FNV_BASIS = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  /** The place of the Stack with this uid. */
  public static Spread of(String uid) {
    long hash = FNV_BASIS;
    for (byte one : uid.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ one) * FNV_PRIME;
    }
    return new Spread(Math.floorMod(mixed(hash), PLACES));
  }

  /** When a resync is due: the period after the last attempt's end, and up to a tenth of it. */
  Instant resync(Instant end, Duration period) {
    return end.plus(period).plus(share(period.dividedBy(RESYNC_PARTS)));
  }

  /** When a run with nothing to do looks again: 23 to 24 hours from now. */
  Instant idle(Instant now) {
    return now.plus(DAY).minus(share(IDLE_SPREAD));
  }

  private Duration share(Duration whole) {
    return Duration.ofMillis(
        whole.toMillis() / PLACES * place + whole.toMillis() % PLACES * place / PLACES);
  }

  /** Uids made one after the other differ in few bits; each of those has to reach all others. */
  private static long mixed(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
