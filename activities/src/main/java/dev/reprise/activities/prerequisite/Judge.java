package dev.reprise.activities.prerequisite;

import dev.reprise.stack.ReconcileReason;
import dev.reprise.stack.Stack;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.spec.SpecInvalid;
import dev.reprise.stack.status.LastUpdate;
import dev.reprise.workflows.decision.RunRequest;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Whether a prerequisite is satisfied: it succeeded for its own current generation and force token,
 * not too long ago, at the revision wanted.
 */
final class Judge {
  /**
   * A run made at a dependent's request counts at least so long. Else a duration shorter than it
   * takes to notice the end of that run would ask for one run after the other.
   */
  private static final Duration ASKED_FOR = Duration.ofMinutes(1);

  private final StackReader reader;
  private final InstantSource clock;

  Judge(StackReader reader, InstantSource clock) {
    this.reader = reader;
    this.clock = clock;
  }

  /** How the other one, which exists, stands towards the need. */
  Standing of(Need need, Other other) {
    LastUpdate last = other.last();
    if (other.identity().deleting()) {
      return new Standing.InTheWay("is being deleted");
    }
    if (other.failing()) {
      return new Standing.InTheWay(other.failure() + other.doing());
    }
    if (last.equals(LastUpdate.NONE)) {
      return new Standing.InTheWay("has not run yet" + other.doing());
    }
    if (last.generation() != other.identity().generation()) {
      return new Standing.InTheWay(
          "has not run its generation %d yet%s"
              .formatted(other.identity().generation(), other.doing()));
    }
    if (!other.current()) {
      return notObeyed(other);
    }
    return switch (last.type()) {
      case "destroy" -> new Standing.InTheWay("was destroyed by its last update");
      case "preview" ->
          need.preview()
              ? succeeded(need, other, last.lastAttemptedCommit())
              : new Standing.InTheWay(
                  "only previews (spec.preview), so there is nothing of it to build on");
      default -> succeeded(need, other, last.lastSuccessfulCommit());
    };
  }

  private static Standing notObeyed(Other other) {
    String token = other.identity().reconcileRequest();
    boolean asked = token.equals(ReconcileReason.tokenAfter(other.last().name()));
    if (asked && !other.paused() && !other.stalled()) {
      return new Standing.OnTheWay("has been asked to run again" + other.doing());
    }
    return new Standing.InTheWay("has not obeyed its reconciliation request yet" + other.doing());
  }

  /**
   * @param revision the one it succeeded at
   */
  private Standing succeeded(Need need, Other other, String revision) {
    if (need.wanted().requirement().sameRevision()) {
      Standing standing = sameRevision(need, other, revision);
      if (!(standing instanceof Standing.Satisfied)) {
        return standing;
      }
    }
    Duration within = need.wanted().requirement().succeededWithin();
    if (within.isZero() || !tooOld(other.last(), within)) {
      return new Standing.Satisfied();
    }
    String text = shortened(need.wanted().requirement().succeededWithinDuration());
    return outOfDate(
        need, other, "succeeded longer ago than " + text, "a success younger than " + text);
  }

  private boolean tooOld(LastUpdate last, Duration within) {
    boolean asked = last.reconcileRequest().startsWith(ReconcileReason.AFTER);
    Duration counts = asked && within.compareTo(ASKED_FOR) < 0 ? ASKED_FOR : within;
    return last.lastResyncTime().plus(counts).isBefore(clock.instant());
  }

  private Standing sameRevision(Need need, Other other, String revision) {
    Source source;
    try {
      Stack stack = reader.read(other.resource());
      source = Source.of(stack.spec());
    } catch (SpecInvalid e) {
      return new Standing.InTheWay("has an invalid spec" + other.doing());
    }
    if (revision.equals(need.revision()) && source.comparableWith(need.source())) {
      return new Standing.Satisfied();
    }
    if (!source.movesWith(need.source())) {
      return new Standing.InTheWay(
          "is not at the same revision, and its source is another one than this Stack's: point"
              + " both at the same source and branch, or drop sameRevision");
    }
    String wanted = "revision " + shortened(need.revision());
    return outOfDate(
        need,
        other,
        revision.isEmpty()
            ? "has not succeeded with an up at " + wanted
            : "last succeeded at revision %s, not at %s".formatted(shortened(revision), wanted),
        "a success at " + wanted);
  }

  private static Standing outOfDate(Need need, Other other, String sentence, String wanted) {
    if (!other.idle()) {
      return other.paused() || other.stalled()
          ? new Standing.InTheWay(sentence + other.doing())
          : new Standing.OnTheWay(sentence + other.doing());
    }
    if (other.askedAlready()) {
      return new Standing.InTheWay(
          sentence
              + "; it was asked to run, but somebody set the request back before it did:"
              + " retry it by hand");
    }
    if (other.last().name().isEmpty()) {
      return new Standing.InTheWay(sentence + "; its status names no update to ask after");
    }
    return new Standing.OutOfDate(
        sentence,
        new RunRequest(
            other.identity().name(),
            other.identity().uid(),
            other.last().name(),
            "%s waits for it and needs %s".formatted(need.who(), wanted)));
  }

  /** A commit as people write it; nothing longer than it has to be. */
  private static String shortened(String text) {
    if (text.matches("[0-9a-f]{40}")) {
      return text.substring(0, 8);
    }
    return text.length() <= 40 ? text : text.substring(0, 39) + "…";
  }
}
