package dev.reprise.workflows.decision;

/**
 * A prerequisite whose success is out of date, to be asked for another run.
 *
 * @param name its name, in the namespace of the Stack that waits for it
 * @param uid its uid, so that nobody else is asked in its place
 * @param update its last update; it is asked once after each
 * @param reason why, for its record; one short line
 */
public record RunRequest(String name, String uid, String update, String reason) {}
