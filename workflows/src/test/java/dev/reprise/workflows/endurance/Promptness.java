package dev.reprise.workflows.endurance;

import dev.reprise.workflows.endurance.Journal.Ask;
import dev.reprise.workflows.endurance.Journal.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether what a run sees and may act on is acted on at once. It is not asked where something else
 * happened meanwhile, or where the API server has lately been away.
 */
final class Promptness {
  private static final Duration AT_ONCE = Duration.ofSeconds(30);
  private static final Duration TROUBLE = Duration.ofMinutes(10);

  private Ask seen = Ask.NOTHING;
  private Instant until = Instant.MAX;
  private Instant trouble = Instant.MIN;
  private Ask preparedFor = Ask.NOTHING;
  private boolean closing;

  /** What was seen too long before this, and not acted on. */
  Optional<Ask> missed(Entry entry) {
    boolean late = entry.at().isAfter(until);
    switch (entry) {
      case Journal.Did did -> {
        until = Instant.MAX;
        if (did.what().contains("_FAILS")) {
          trouble = did.at().plus(TROUBLE);
        }
        if (did.what().contains("_RUN") || did.what().contains("successor")) {
          closing = did.what().contains("_RUN");
        }
      }
      case Journal.Preparing preparing -> {
        until = Instant.MAX;
        preparedFor = preparing.ask();
      }
      case Journal.NotPrepared not -> attemptOver();
      case Journal.Sent sent -> attemptOver();
      case Journal.Ended ended -> attemptOver();
      case Journal.Lost lost -> attemptOver();
      case Journal.Asking asking -> until = Instant.MAX;
      case Journal.Held held -> until = Instant.MAX;
      // What keeps it was on its way already when the run looked before.
      case Journal.Kept kept -> until = Instant.MAX;
      default -> {}
    }
    return late ? Optional.of(seen) : Optional.empty();
  }

  private void attemptOver() {
    until = Instant.MAX;
    preparedFor = Ask.NOTHING;
  }

  /** A run has seen this, and an attempt is to follow. */
  void due(Instant at, Ask ask) {
    boolean already = preparedFor.generation() > 0 && !ask.differs(preparedFor);
    if (!already && !closing && at.isAfter(trouble) && until.equals(Instant.MAX)) {
      seen = ask;
      until = at.plus(AT_ONCE);
    }
  }
}
