package dev.reprise.agent.process;

import java.time.Instant;

/**
 * A process that cannot be mistaken for a later one with the same number.
 *
 * @param pid the process number
 * @param startTime its start in the unit of the platform: clock ticks since boot on Linux (immune
 *     to changes of the wall clock), milliseconds since the epoch elsewhere, 0 if it was gone
 *     before it could be asked
 */
public record ProcessIdentity(long pid, long startTime) {

  /** The identity of the process that has this number now. */
  public static ProcessIdentity of(long pid) {
    return new ProcessIdentity(
        pid,
        ProcStat.read(pid)
            .map(ProcStat::startTime)
            .or(
                () ->
                    ProcessHandle.of(pid)
                        .flatMap(h -> h.info().startInstant())
                        .map(Instant::toEpochMilli))
            .orElse(0L));
  }

  /** Whether this very process still exists. */
  public boolean alive() {
    return startTime != 0
        && ProcessHandle.of(pid).isPresent()
        && of(pid).equals(this)
        && ProcStat.read(pid).map(stat -> !stat.zombie()).orElse(true);
  }
}
