package dev.reprise.activities.workspace.pod;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a workspace's pod says. Absent texts are empty.
 *
 * @param stackUid whose workspace it is
 * @param revision the version of the StatefulSet's template it was made from
 * @param running whether the container with the agent runs
 * @param prepared whether everything that is done once was done in it
 * @param created when it was made
 * @param trouble what keeps it from running
 */
record PodState(
    String uid,
    String stackUid,
    boolean deleting,
    String revision,
    boolean running,
    boolean prepared,
    Instant created,
    PodTrouble trouble) {
  /** There is none. */
  static final PodState NONE =
      new PodState("", "", false, "", false, false, Instant.EPOCH, PodTrouble.NONE);

  static PodState of(Pod pod) {
    ObjectMeta meta = pod.getMetadata();
    Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
    Map<String, String> marks = meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
    return new PodState(
        text(meta.getUid()),
        text(labels.get(Names.STACK_UID)),
        meta.getDeletionTimestamp() != null,
        text(labels.get(Names.POD_REVISION)),
        running(pod),
        "true".equals(marks.get(Names.INITIALIZED)),
        meta.getCreationTimestamp() == null
            ? Instant.EPOCH
            : Instant.parse(meta.getCreationTimestamp()),
        PodTrouble.of(pod));
  }

  boolean exists() {
    return !uid.isEmpty();
  }

  private static boolean running(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getContainerStatuses().stream()
            .filter(container -> Names.CONTAINER.equals(container.getName()))
            .map(ContainerStatus::getState)
            .anyMatch(state -> state != null && state.getRunning() != null);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
