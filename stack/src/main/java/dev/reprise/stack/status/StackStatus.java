package dev.reprise.stack.status;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The status of a Stack. Absent parts are empty, 0, {@link #NO_TIME} or a NONE.
 *
 * @param outputs the program's outputs, secret ones already masked by who wrote them
 * @param currentUpdate read only: the Pulumi Kubernetes Operator's operation in flight, never
 *     written by Reprise
 * @param retry Reprise's own record
 */
public record StackStatus(
    Map<String, JsonNode> outputs,
    LastUpdate lastUpdate,
    CurrentUpdate currentUpdate,
    long observedGeneration,
    String observedReconcileRequest,
    List<Condition> conditions,
    ProjectInfo projectInfo,
    RetryStatus retry) {
  /**
   * No time given. The epoch is a time like any other: as {@code nextWakeTime} it means "long
   * overdue".
   */
  public static final Instant NO_TIME = Absent.NO_TIME;

  /** A Stack nobody has taken up yet. */
  public static final StackStatus NONE =
      new StackStatus(
          Map.of(),
          LastUpdate.NONE,
          CurrentUpdate.NONE,
          0,
          "",
          List.of(),
          ProjectInfo.NONE,
          RetryStatus.NONE);

  /** The same status with another retry record. */
  public StackStatus withRetry(RetryStatus other) {
    return new StackStatus(
        outputs,
        lastUpdate,
        currentUpdate,
        observedGeneration,
        observedReconcileRequest,
        conditions,
        projectInfo,
        other);
  }

  public StackStatus {
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    conditions = List.copyOf(conditions);
  }
}
