package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * Reprise's own record of a Stack.
 *
 * @param failures consecutive failures
 * @param attempt the number of the current or last attempt since the failures were last forgotten
 * @param last the last finished attempt, also where no operation ran
 * @param nextAttemptTime when a failed operation is tried again
 * @param nextWakeTime until when the record will have been written again; when that passes unused,
 *     the run was lost
 * @param hold why a person holds the Stack; empty: nobody does
 * @param paused whether the Stack is shown as paused
 * @param request a retry that was asked for and not yet obeyed
 * @param sequence counts the writes; an older one never replaces a newer one
 * @param policy how the Stack is retried, in short, as the run that wrote it knew; "invalid" when
 *     the Stack could not be read
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RetryStatus(
    @JsonInclude(JsonInclude.Include.ALWAYS) Long failures,
    Long attempt,
    Attempt last,
    Instant nextAttemptTime,
    Instant nextWakeTime,
    String hold,
    Boolean paused,
    Request request,
    Long sequence,
    String policy) {
  /** Reprise has not written yet. */
  public static final RetryStatus NONE =
      new RetryStatus(
          0L,
          0L,
          Attempt.NONE,
          StackStatus.NO_TIME,
          StackStatus.NO_TIME,
          "",
          false,
          Request.NONE,
          0L,
          "");

  public RetryStatus {
    failures = Absent.or(failures, 0L);
    attempt = Absent.or(attempt, 0L);
    last = Absent.or(last, Attempt.NONE);
    nextAttemptTime = Absent.time(nextAttemptTime);
    nextWakeTime = Absent.time(nextWakeTime);
    hold = Absent.text(hold);
    paused = Absent.or(paused, false);
    request = Absent.or(request, Request.NONE);
    sequence = Absent.or(sequence, 0L);
    policy = Absent.text(policy);
  }

  /**
   * A finished attempt and the input it was made with.
   *
   * @param kind up, preview, refresh or destroy
   * @param inputs the digest of the referenced configuration and secrets
   * @param result succeeded or failed
   * @param reason the class of a failure
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Attempt(
      String kind,
      Long generation,
      String reconcileRequest,
      String revision,
      String inputs,
      String result,
      String reason,
      Instant endTime) {
    /** No attempt has finished. */
    public static final Attempt NONE = new Attempt("", 0L, "", "", "", "", "", StackStatus.NO_TIME);

    public Attempt {
      kind = Absent.text(kind);
      generation = Absent.or(generation, 0L);
      reconcileRequest = Absent.text(reconcileRequest);
      revision = Absent.text(revision);
      inputs = Absent.text(inputs);
      result = Absent.text(result);
      reason = Absent.text(reason);
      endTime = Absent.time(endTime);
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
    public static final Request NONE = new Request("", false, StackStatus.NO_TIME);

    public Request {
      reason = Absent.text(reason);
      resetFailures = Absent.or(resetFailures, false);
      time = Absent.time(time);
    }
  }
}
