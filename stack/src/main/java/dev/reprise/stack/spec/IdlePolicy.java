package dev.reprise.stack.spec;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What becomes of a Stack's workspace while nothing is to be done in it. */
public sealed interface IdlePolicy {
  /** The annotation by which a Stack asks for something. */
  String ANNOTATION = "reprise.dev/idle-workspace";

  /** It stays as it is, so that the next operation starts at once. */
  record Keep() implements IdlePolicy {}

  /** It is deleted once the Stack is in sync. */
  record Delete() implements IdlePolicy {}

  /**
   * Its pod ends, its objects stay.
   *
   * @param after the time since the end of the last operation, which has to be a success
   */
  record ScaleDown(Duration after) implements IdlePolicy {}

  /**
   * What a Stack asks for: {@code spec.workspaceReclaimPolicy: Delete}, or else the annotation,
   * {@code keep} or {@code scale-down-after: 30m}.
   *
   * @throws SpecInvalid when the annotation is neither
   */
  static IdlePolicy of(StackSpec spec, Map<String, String> annotations) throws SpecInvalid {
    String prefix = "scale-down-after:";
    String asked = annotations.getOrDefault(ANNOTATION, "keep").strip();
    Optional<Duration> after =
        asked.startsWith(prefix)
            ? GoDuration.parse(asked.substring(prefix.length()).strip())
                .filter(Duration::isPositive)
            : Optional.empty();
    if (!asked.equals("keep") && after.isEmpty()) {
      throw new SpecInvalid(
          "metadata.annotations[" + ANNOTATION + "]",
          "is neither keep nor a time",
          "write keep, or scale-down-after: 30m");
    }
    if (spec.workspaceReclaimPolicy() == ReclaimPolicy.DELETE) {
      return new Delete();
    }
    return after.isPresent() ? new ScaleDown(after.get()) : new Keep();
  }
}
