package dev.reprise.watcher;

import java.time.Instant;

/**
 * Numbers for metrics, all since the start unless they say "now".
 *
 * @param stacks Stacks known now
 * @param programs Programs known now; they are watched once a Stack refers to one
 * @param queued desires waiting for delivery now
 * @param delivered signals that Temporal took
 * @param refused signals that Temporal refused as such
 * @param unreachable calls that failed because Temporal was away
 * @param unreadable sights of objects that could not be judged
 * @param watchStarts times a watch was begun, in vain or not; it grows while Stacks cannot be read
 * @param watchQuiet whether the last list showed changes that the watch had missed
 * @param lastList the end of the last complete list; the epoch before the first
 * @param listFailures lists that failed
 * @param sourcesAsked questions to sources about their revision
 * @param sourceFailures those that were not answered
 */
public record WatcherStats(
    int stacks,
    int programs,
    int queued,
    long delivered,
    long refused,
    long unreachable,
    long unreadable,
    long watchStarts,
    boolean watchQuiet,
    Instant lastList,
    long listFailures,
    long sourcesAsked,
    long sourceFailures) {}
