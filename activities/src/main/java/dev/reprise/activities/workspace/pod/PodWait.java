package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.activities.workspace.pod.WorkspaceApi.Failure;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.BiPredicate;

/**
 * A pod that is not ready: how long it is waited for, when another takes its place, and when the
 * attempt ends without it.
 */
final class PodWait {
  /** Between two looks at a pod that was made just now. */
  static final Duration SOON = Duration.ofMillis(500);

  /** A pod that comes at all mostly comes within this time. */
  private static final Duration YOUNG = Duration.ofSeconds(20);

  /** Between two looks at one that takes longer: each costs the API server two calls. */
  private static final Duration LATER = Duration.ofSeconds(5);

  /** The kubelet tries a broken container about five times within it. */
  private static final Duration BROKEN_FOR_GOOD = Duration.ofMinutes(3);

  /** Enough for a controller that was told to look again. */
  private static final Duration TRIED_AGAIN = Duration.ofSeconds(10);

  private final WorkspaceApi api;
  private final InstantSource clock;
  private final BiPredicate<StackRef, PodState> mayBeReplaced;

  /**
   * @param mayBeReplaced whether no operation ends with a pod
   */
  PodWait(WorkspaceApi api, InstantSource clock, BiPredicate<StackRef, PodState> mayBeReplaced) {
    this.api = api;
    this.clock = clock;
    this.mayBeReplaced = mayBeReplaced;
  }

  Placement placement(WorkspaceRequest request, SetState set, PodState pod, String waitingFor) {
    StackRef stack = request.stack();
    boolean actedOn = set.observedGeneration() >= set.generation();
    if (!pod.exists() && actedOn) {
      Failure failure = api.whyNoPod(stack, set);
      if (!failure.message().isEmpty()) {
        return noPod(request, set, failure, waitingFor);
      }
    }
    if (!pod.exists() || pod.deleting()) {
      return new Placement.Starting(waitingFor, pace(set.appliedAt()));
    }
    // A rolling update waits for a broken pod for ever instead of replacing it.
    boolean leftBehind = actedOn && !pod.revision().equals(set.update());
    boolean brokenBefore = pod.trouble().broken() && pod.created().isBefore(request.since());
    if ((leftBehind || brokenBefore) && mayBeReplaced.test(stack, pod)) {
      api.deletePod(stack, pod.uid());
      return new Placement.Starting("a new pod instead of " + waitingFor, SOON);
    }
    if (pod.trouble().broken() && since(pod.created()).compareTo(BROKEN_FOR_GOOD) > 0) {
      return new Placement.Refused(
          new WorkspaceOutput(
              Outcome.WORKSPACE_FAILED,
              "pod " + Names.pod(stack.name()) + " does not start: " + pod.trouble().text()));
    }
    return new Placement.Starting(waitingFor, pace(pod.created()));
  }

  /**
   * What an earlier attempt failed for may be mended by now: each has it tried once more. A refusal
   * is believed only after some tries of the controller: in a namespace made a moment ago the
   * service account is still on its way (seen on a real control plane), and a webhook may be
   * starting.
   */
  private Placement noPod(
      WorkspaceRequest request, SetState set, Failure failure, String waitingFor) {
    boolean earlier = failure.time().isBefore(request.since());
    String attempt = request.since().truncatedTo(ChronoUnit.MILLIS).toString();
    if (earlier && !set.tried().equals(attempt)) {
      api.nudge(request.stack(), request.since());
      return new Placement.Starting(waitingFor, SOON);
    }
    return since(request.since()).compareTo(TRIED_AGAIN) < 0
        ? new Placement.Starting(waitingFor, SOON)
        : Refusals.noPod(request.stack(), failure.message());
  }

  private Duration pace(Instant beginning) {
    return since(beginning).compareTo(YOUNG) < 0 ? SOON : LATER;
  }

  private Duration since(Instant time) {
    return Duration.between(time, clock.instant());
  }
}
