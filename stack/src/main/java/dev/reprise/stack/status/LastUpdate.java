package dev.reprise.stack.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;

/**
 * The last finished operation under the Pulumi Kubernetes Operator's names.
 *
 * @param type up, preview, refresh or destroy
 * @param state succeeded or failed
 * @param lastResyncTime when it ended
 * @param failures consecutive failures; always written, as 0 says something
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LastUpdate(
    Long generation,
    String reconcileRequest,
    String name,
    String type,
    String state,
    String message,
    String lastAttemptedCommit,
    String lastSuccessfulCommit,
    String permalink,
    Instant lastResyncTime,
    @JsonInclude(JsonInclude.Include.ALWAYS) Long failures) {
  /** No operation has finished. */
  public static final LastUpdate NONE =
      new LastUpdate(0L, "", "", "", "", "", "", "", "", Absent.NO_TIME, 0L);

  public LastUpdate {
    generation = Absent.or(generation, 0L);
    reconcileRequest = Absent.text(reconcileRequest);
    name = Absent.text(name);
    type = Absent.text(type);
    state = Absent.text(state);
    message = Absent.text(message);
    lastAttemptedCommit = Absent.text(lastAttemptedCommit);
    lastSuccessfulCommit = Absent.text(lastSuccessfulCommit);
    permalink = Absent.text(permalink);
    lastResyncTime = Absent.time(lastResyncTime);
    failures = Absent.or(failures, 0L);
  }
}
