package dev.reprise.activities.workspace.pod;

import dev.reprise.activities.kube.Texts;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a pod from running.
 *
 * @param text for people: the container, the reason and the message; "" = nothing in particular
 * @param broken whether only another spec, another cluster or much time helps
 */
record PodTrouble(String text, boolean broken) {
  static final PodTrouble NONE = new PodTrouble("", false);

  private static final int LONGEST = 300;

  /** What the kubelet says of a container that is on its way. */
  private static final Set<String> ON_ITS_WAY = Set.of("PodInitializing", "ContainerCreating");

  static PodTrouble of(Pod pod) {
    if (pod.getStatus() == null) {
      return NONE;
    }
    return Stream.of(
            pod.getStatus().getConditions().stream()
                .filter(PodTrouble::isUnscheduled)
                .map(PodTrouble::unscheduled),
            pod.getStatus().getInitContainerStatuses().stream().map(PodTrouble::beginning),
            pod.getStatus().getContainerStatuses().stream().map(PodTrouble::of),
            Stream.of(failed(pod), nodeLost(pod)))
        .flatMap(trouble -> trouble)
        .filter(trouble -> !trouble.text().isEmpty())
        .reduce(NONE, PodTrouble::worse);
  }

  private static PodTrouble worse(PodTrouble one, PodTrouble other) {
    boolean better = one.text().isEmpty() || (other.broken() && !one.broken());
    return better ? other : one;
  }

  private static boolean isUnscheduled(PodCondition condition) {
    return "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus());
  }

  /** No node may fit today and one tomorrow; a person sees why. */
  private static PodTrouble unscheduled(PodCondition condition) {
    return new PodTrouble("a node: " + words(condition.getReason(), condition.getMessage()), false);
  }

  private static PodTrouble beginning(ContainerStatus container) {
    ContainerState state = container.getState();
    if (state != null && state.getRunning() != null) {
      return new PodTrouble("init container " + container.getName() + " to finish", false);
    }
    return of("init container ", container);
  }

  private static PodTrouble of(ContainerStatus container) {
    return of("container ", container);
  }

  private static PodTrouble of(String what, ContainerStatus container) {
    ContainerState state = container.getState();
    if (state == null) {
      return NONE;
    }
    String name = what + container.getName() + ": ";
    if (state.getTerminated() != null && state.getTerminated().getExitCode() != 0) {
      return new PodTrouble(name + exit(state.getTerminated()), true);
    }
    if (state.getWaiting() == null || ON_ITS_WAY.contains(reason(state))) {
      return NONE;
    }
    ContainerState last = container.getLastState();
    String before =
        last == null || last.getTerminated() == null ? "" : "; " + exit(last.getTerminated());
    return new PodTrouble(
        name + words(reason(state), state.getWaiting().getMessage()) + before, true);
  }

  private static String reason(ContainerState state) {
    String reason = state.getWaiting() == null ? null : state.getWaiting().getReason();
    return reason == null ? "waiting" : reason;
  }

  private static String exit(ContainerStateTerminated end) {
    return "it ended with exit code %d (%s)"
        .formatted(end.getExitCode(), words(end.getReason(), end.getMessage()));
  }

  /** An eviction, for one, leaves a pod that has failed as a whole. */
  private static PodTrouble failed(Pod pod) {
    return "Failed".equals(pod.getStatus().getPhase())
        ? new PodTrouble(words(pod.getStatus().getReason(), pod.getStatus().getMessage()), true)
        : NONE;
  }

  /**
   * Nobody can tell whether the pod still runs on a node that does not answer, so that none may
   * take its place before the node is back or taken out of the cluster.
   */
  private static PodTrouble nodeLost(Pod pod) {
    return "NodeLost".equals(pod.getStatus().getReason())
        ? new PodTrouble(
            "its node to answer again or be removed from the cluster ("
                + words(pod.getStatus().getReason(), pod.getStatus().getMessage())
                + ")",
            false)
        : NONE;
  }

  private static String words(@Nullable String reason, @Nullable String message) {
    String known = reason == null || reason.isEmpty() ? "for a reason not told" : reason;
    return message == null || message.isEmpty()
        ? known
        : known + ": " + Texts.excerpt(message, LONGEST);
  }
}
