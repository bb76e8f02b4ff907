package dev.reprise.workflows.activity;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** Puts our marks on a Stack and takes them off, each confirmed before it is relied on. */
@ActivityInterface
public interface FinalizerActivity {

  /**
   * Which marks to put on; the finalizer always.
   *
   * @param stack the Stack
   * @param upStarting also note that an up is about to be started
   */
  record MarkInput(StackRef stack, boolean upStarting) {}

  /**
   * What a new read showed afterwards.
   *
   * @param marked whether every mark is on; false when the Stack is gone or being deleted
   */
  record MarkOutput(boolean marked) {}

  /** Puts the finalizer on, and the annotation when asked, and reads the object again. */
  @ActivityMethod(name = "Mark")
  MarkOutput mark(MarkInput input);

  /**
   * What the release did.
   *
   * @param released whether the finalizer is off, or the Stack gone
   */
  record ReleaseOutput(boolean released) {}

  /** Deletes the workspace, then takes our finalizer off. Idempotent. */
  @ActivityMethod(name = "Release")
  ReleaseOutput release(StackRef stack);
}
