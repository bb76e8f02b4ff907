package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.HostIP;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod at one moment, and the status that a kubelet writes of it.
 *
 * @param restartPolicy the pod's
 * @param hostIp its node's address
 * @param podIp its address; empty before it has one
 * @param started when it was taken on
 * @param inits its init containers in order
 * @param containers its other containers
 */
record PodView(
    String restartPolicy,
    String hostIp,
    String podIp,
    Instant started,
    List<ContainerView> inits,
    List<ContainerView> containers) {

  /**
   * The status.
   *
   * @param before what was written last, from which conditions that did not change keep their time
   */
  PodStatus status(@Nullable PodStatus before, Instant now) {
    String phase = phase();
    boolean initialized = inits.stream().allMatch(ContainerView::succeeded);
    boolean ready = containers.stream().allMatch(ContainerView::ready);
    boolean completed = phase.equals("Succeeded");
    PodStatusBuilder status =
        new PodStatusBuilder()
            .withPhase(phase)
            .withHostIP(hostIp)
            .withHostIPs(new HostIP(hostIp))
            .withStartTime(ContainerView.time(started))
            .withConditions(
                condition("PodScheduled", true, null, before, now),
                condition(
                    "Initialized",
                    initialized,
                    initialized ? null : "ContainersNotInitialized",
                    before,
                    now),
                condition("ContainersReady", ready, notReady(ready, completed), before, now),
                condition("Ready", ready, notReady(ready, completed), before, now))
            .withInitContainerStatuses(inits.stream().map(ContainerView::status).toList())
            .withContainerStatuses(containers.stream().map(ContainerView::status).toList());
    if (!podIp.isEmpty()) {
      status.withPodIP(podIp).withPodIPs(new PodIP(podIp));
    }
    return status.build();
  }

  private static @Nullable String notReady(boolean ready, boolean completed) {
    return ready ? null : completed ? "PodCompleted" : "ContainersNotReady";
  }

  private static PodCondition condition(
      String type,
      boolean holds,
      @Nullable String reason,
      @Nullable PodStatus before,
      Instant now) {
    String status = holds ? "True" : "False";
    String since = ContainerView.time(now);
    if (before != null) {
      for (PodCondition old : before.getConditions()) {
        if (old.getType().equals(type) && old.getStatus().equals(status)) {
          since = old.getLastTransitionTime();
        }
      }
    }
    return new PodConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withLastTransitionTime(since)
        .build();
  }

  /** Where a pod is in its life, by a kubelet's rules. */
  String phase() {
    boolean never = restartPolicy.equals("Never");
    if (never && inits.stream().anyMatch(init -> init.terminated() && !init.succeeded())) {
      return "Failed";
    }
    boolean begun =
        containers.stream()
            .allMatch(one -> one.running() || one.terminated() || one.lastState() != null);
    if (!inits.stream().allMatch(ContainerView::succeeded) || !begun) {
      return "Pending";
    }
    if (restartPolicy.equals("Always")
        || !containers.stream().allMatch(ContainerView::terminated)) {
      return "Running";
    }
    if (containers.stream().allMatch(ContainerView::succeeded)) {
      return "Succeeded";
    }
    return never ? "Failed" : "Running";
  }
}
