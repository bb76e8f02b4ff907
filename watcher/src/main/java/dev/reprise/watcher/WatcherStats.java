package dev.reprise.watcher;

import java.time.Instant;

/**
 * Numbers for metrics, all since the start unless they say "now".
 *
 * @param stacks Stacks known now
 * @param queued desires waiting for delivery now
 * @param delivered signals that Temporal took
 * @param refused signals that Temporal refused as such
 * @param unreachable calls that failed because Temporal was away
 * @param unreadable sights of objects that could not be judged
 * @param watchStarts informers made; more than one means that a watch had to be made anew
 * @param watchQuiet whether the last list showed changes that the watch had missed
 * @param lastList the end of the last complete list; the epoch before the first
 * @param listFailures lists that failed
 */
public record WatcherStats(
    int stacks,
    int queued,
    long delivered,
    long refused,
    long unreachable,
    long unreadable,
    long watchStarts,
    boolean watchQuiet,
    Instant lastList,
    long listFailures) {}
