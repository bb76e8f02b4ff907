package dev.reprise.watcher;

import dev.reprise.workflows.activity.StackRef;
import java.time.Duration;

/**
 * Something a Stack wants.
 *
 * @param stack the Stack
 * @param topic what kind of wish, as the wishes of a topic replace each other
 * @param reason a few words for the workflow's history; no value a user wrote
 * @param wish tells this wish from an earlier one of the same topic; stays in this process
 * @param delay how long to wait before delivering it
 */
record Desire(StackRef stack, Topic topic, String reason, String wish, Duration delay) {

  /** Where a wish comes from. */
  enum Topic {
    /** The Stack object itself. */
    OBJECT,
    /** How it asks to be retried. */
    POLICY,
    /** What its source points at. */
    SOURCE,
    /** What its configuration, environment and credentials are taken from. */
    INPUTS,
    /** A Stack it depends on. */
    PREREQUISITE
  }

  Desire(StackRef stack, Topic topic, String reason, String wish) {
    this(stack, topic, reason, wish, Duration.ZERO);
  }
}
