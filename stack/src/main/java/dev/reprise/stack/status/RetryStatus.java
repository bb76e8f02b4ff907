package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Reprise's own record of a Stack.
 *
 * @param failures consecutive failures
 * @param inARow how many attempts in a row ended as the last one did
 * @param attempt the number of the last attempt since the failures were last forgotten; one that is
 *     still being prepared does not count yet
 * @param upStarted whether an up has ever been sent
 * @param last the last finished attempt, also where no operation ran
 * @param running the operation whose end is not known yet, by which a successor can follow it
 * @param nextAttemptTime when a failed operation is tried again
 * @param nextWakeTime until when the record will have been written again; when that passes unused,
 *     the run was lost
 * @param hold why a person holds the Stack; empty: nobody does
 * @param paused whether the Stack is shown as paused
 * @param pause why it is paused; empty: it is not
 * @param request a retry that was asked for and not yet obeyed
 * @param looked what of the object the run has seen
 * @param sequence counts the writes; an older one never replaces a newer one
 * @param policy how the Stack is retried, in short, as the run that wrote it knew; "invalid" when
 *     the Stack could not be read
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RetryStatus(
    @JsonInclude(JsonInclude.Include.ALWAYS) Long failures,
    Long inARow,
    Long attempt,
    Boolean upStarted,
    Attempt last,
    Attempt running,
    Instant nextAttemptTime,
    Instant nextWakeTime,
    String hold,
    Boolean paused,
    String pause,
    Request request,
    Looked looked,
    Long sequence,
    String policy) {
  /** Reprise has not written yet. */
  public static final RetryStatus NONE =
      new RetryStatus(
          0L,
          0L,
          0L,
          false,
          Attempt.NONE,
          Attempt.NONE,
          Absent.NO_TIME,
          Absent.NO_TIME,
          "",
          false,
          "",
          Request.NONE,
          Looked.NONE,
          0L,
          "");

  public RetryStatus {
    failures = Absent.or(failures, 0L);
    inARow = Absent.or(inARow, 0L);
    attempt = Absent.or(attempt, 0L);
    upStarted = Absent.or(upStarted, false);
    running = Absent.or(running, Attempt.NONE);
    last = Absent.or(last, Attempt.NONE);
    nextAttemptTime = Absent.time(nextAttemptTime);
    nextWakeTime = Absent.time(nextWakeTime);
    hold = Absent.text(hold);
    paused = Absent.or(paused, false);
    pause = Absent.text(pause);
    request = Absent.or(request, Request.NONE);
    looked = Absent.or(looked, Looked.NONE);
    sequence = Absent.or(sequence, 0L);
    policy = Absent.text(policy);
  }

  /**
   * An attempt and the input it was made with.
   *
   * @param kind up, preview, refresh or destroy
   * @param deletion whether it was made because the Stack is being deleted
   * @param inputs the digest of the referenced configuration and secrets
   * @param update the name of the update, by which the agent can be asked for it; empty: no
   *     operation ran
   * @param result succeeded or failed; empty: it has not ended
   * @param reason the class of a failure
   * @param message one short line why it failed
   * @param endTime when it ended, to the millisecond, because waits are counted from it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Attempt(
      String kind,
      Long generation,
      Boolean deletion,
      String reconcileRequest,
      String revision,
      String inputs,
      String update,
      String result,
      String reason,
      String message,
      @JsonSerialize(using = StatusJson.Milliseconds.class) Instant endTime) {
    /** There was none. */
    public static final Attempt NONE =
        new Attempt("", 0L, false, "", "", "", "", "", "", "", Absent.NO_TIME);

    public Attempt {
      kind = Absent.text(kind);
      generation = Absent.or(generation, 0L);
      deletion = Absent.or(deletion, false);
      reconcileRequest = Absent.text(reconcileRequest);
      revision = Absent.text(revision);
      inputs = Absent.text(inputs);
      update = Absent.text(update);
      result = Absent.text(result);
      reason = Absent.text(reason);
      message = Absent.text(message);
      endTime = Absent.time(endTime);
    }
  }

  /**
   * What a run has seen of the object, also where it has not acted on it yet, as while paused.
   *
   * @param generation the object's generation; 0 = not told
   * @param reconcileRequest the force token
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Looked(Long generation, String reconcileRequest) {
    /** Not told. */
    public static final Looked NONE = new Looked(0L, "");

    public Looked {
      generation = Absent.or(generation, 0L);
      reconcileRequest = Absent.text(reconcileRequest);
    }
  }

  /**
   * A retry asked for by a person.
   *
   * @param reason why; a request has one or its time, {@link #NONE} has neither
   * @param resetFailures whether to forget the failures first
   * @param time when it was asked for
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Request(String reason, Boolean resetFailures, Instant time) {
    /** Nothing asked for. */
    public static final Request NONE = new Request("", false, Absent.NO_TIME);

    public Request {
      reason = Absent.text(reason);
      resetFailures = Absent.or(resetFailures, false);
      time = Absent.time(time);
    }
  }
}
