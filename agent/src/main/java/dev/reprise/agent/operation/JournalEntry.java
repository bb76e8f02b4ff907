package dev.reprise.agent.operation;

import dev.reprise.agent.process.ProcessIdentity;

/**
 * One line of the journal.
 *
 * @param event what happened
 * @param id the operation
 * @param kind preview, up, refresh or destroy
 * @param time when, ISO 8601 in UTC
 * @param pid the child's process number, 0 unless {@code event} is CHILD
 * @param processStart the child's start, see {@link ProcessIdentity#startTime}
 * @param group whether an interrupt goes to the child's process group
 */
public record JournalEntry(
    Event event, String id, String kind, String time, long pid, long processStart, boolean group) {

  /** What a line of the journal can say. */
  public enum Event {
    /** The operation begins; written before any child is started. */
    STARTED,
    /** A child of the operation runs. */
    CHILD,
    /** The operation ended and its result is kept. */
    FINISHED,
    /** A restarted agent found the operation without an end. */
    INTERRUPTED
  }

  ProcessIdentity process() {
    return new ProcessIdentity(pid, processStart);
  }
}
