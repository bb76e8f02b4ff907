package dev.reprise.cli.ops;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Tells of an outage of Temporal in two lines, one when it begins and one when it is over. The
 * SDK's pollers, of which a worker has many, each log every failure with a trace.
 */
public final class PollFailures extends TurboFilter {
  /** Longer than a poller pauses after a failure: one that fails still fails within this. */
  private static final Duration QUIET = Duration.ofSeconds(75);

  private static final String POLLERS = "io.temporal.internal.worker.BasePoller";

  private final org.slf4j.Logger log;
  private final InstantSource clock;
  private final Set<Status.Code> told = EnumSet.noneOf(Status.Code.class);
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;
  private long failures;

  PollFailures(org.slf4j.Logger log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    boolean aPoll =
        logger.getName().equals(POLLERS)
            && format != null
            && level.isGreaterOrEqual(Level.INFO)
            && format.contains("in poller thread");
    Throwable cause = aPoll ? failure(arguments, failure) : null;
    if (cause == null) {
      return FilterReply.NEUTRAL;
    }
    Status status = Status.fromThrowable(cause);
    if (count(status.getCode())) {
      log.warn(
          "Temporal does not answer ({}: {}); polling until it does. Failures of this kind are"
              + " counted from now on, not logged.",
          status.getCode(),
          status.getDescription());
    }
    return FilterReply.DENY;
  }

  /** The logger leaves a trailing exception among the arguments. */
  private static @Nullable Throwable failure(
      Object @Nullable [] arguments, @Nullable Throwable failure) {
    if (failure != null || arguments == null || arguments.length == 0) {
      return failure;
    }
    return arguments[arguments.length - 1] instanceof Throwable last ? last : null;
  }

  /** Whether it is the first of its kind in this outage. */
  private synchronized boolean count(Status.Code code) {
    Instant now = clock.instant();
    if (failures == 0) {
      first = now;
    }
    last = now;
    failures++;
    return told.add(code);
  }

  /** Temporal has answered a question just now. It is over once no poll fails any more. */
  public void answered() {
    String over = over();
    if (!over.isEmpty()) {
      log.info("Temporal answers again: {}", over);
    }
  }

  private synchronized String over() {
    if (failures == 0 || clock.instant().isBefore(last.plus(QUIET))) {
      return "";
    }
    String text = "%d polls failed between %s and %s".formatted(failures, first, last);
    failures = 0;
    told.clear();
    return text;
  }
}
