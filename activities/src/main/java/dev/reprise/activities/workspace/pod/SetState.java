package dev.reprise.activities.workspace.pod;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a StatefulSet says. Absent texts are empty.
 *
 * @param stackUid whose workspace it is
 * @param controller the object that made it, as "Kind name", if that was not Reprise
 * @param observedGeneration the generation its controller has acted on
 * @param current the version of the template that pods were made from
 * @param update the version pods are to be made from
 * @param available how many pods are
 * @param hash what it marks its pod with: the program and objects it was made for
 * @param inputsDigest of the configuration and secrets it was made for
 * @param appliedAt when Reprise changed it last
 * @param tried the attempt that last asked for a pod that cannot be made
 */
record SetState(
    String uid,
    String stackUid,
    String controller,
    boolean deleting,
    long generation,
    long observedGeneration,
    int replicas,
    String current,
    String update,
    int available,
    String hash,
    String inputsDigest,
    Instant appliedAt,
    String tried) {
  /** There is none. */
  static final SetState NONE =
      new SetState("", "", "", false, 0, 0, 0, "", "", 0, "", "", Instant.EPOCH, "");

  static SetState of(StatefulSet set) {
    ObjectMeta meta = set.getMetadata();
    Map<String, String> marks = annotations(set);
    var status = set.getStatus();
    return new SetState(
        text(meta.getUid()),
        text(meta.getLabels() == null ? null : meta.getLabels().get(Names.STACK_UID)),
        controller(meta),
        meta.getDeletionTimestamp() != null,
        number(meta.getGeneration()),
        status == null ? 0 : number(status.getObservedGeneration()),
        // What is left out is one.
        set.getSpec() == null || set.getSpec().getReplicas() == null
            ? 1
            : set.getSpec().getReplicas(),
        status == null ? "" : text(status.getCurrentRevision()),
        status == null ? "" : text(status.getUpdateRevision()),
        status == null ? 0 : number(status.getAvailableReplicas()),
        text(marks.get(Names.REVISION_HASH)),
        text(marks.get(Names.INPUTS_DIGEST)),
        appliedAt(meta),
        text(meta.getAnnotations() == null ? null : meta.getAnnotations().get(Names.TRIED)));
  }

  boolean exists() {
    return !uid.isEmpty();
  }

  private static Map<String, String> annotations(StatefulSet set) {
    if (set.getSpec() == null
        || set.getSpec().getTemplate() == null
        || set.getSpec().getTemplate().getMetadata() == null) {
      return Map.of();
    }
    Map<String, String> marks = set.getSpec().getTemplate().getMetadata().getAnnotations();
    return marks == null ? Map.of() : marks;
  }

  private static String controller(ObjectMeta meta) {
    return meta.getOwnerReferences().stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .map((OwnerReference owner) -> owner.getKind() + " " + owner.getName())
        .findFirst()
        .orElse("");
  }

  private static Instant appliedAt(ObjectMeta meta) {
    return meta.getManagedFields().stream()
        .filter(entry -> WorkspaceApi.FIELD_MANAGER.equals(entry.getManager()))
        .map(ManagedFieldsEntry::getTime)
        .filter(time -> time != null)
        .map(Instant::parse)
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static long number(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  private static int number(@Nullable Integer value) {
    return value == null ? 0 : value;
  }
}
