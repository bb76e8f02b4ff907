package dev.reprise.workflows.decision;

/**
 * What keeps an operation from being tried at all.
 *
 * @param kind whether something has to be changed, or a source to come back
 * @param reason the CamelCase word for the condition; "" for none
 * @param message the field or object, and the fix; without secrets
 */
public record Obstacle(Kind kind, String reason, String message) {

  /** Nothing is in the way. */
  public static final Obstacle NONE = new Obstacle(Kind.NONE, "", "");

  /** Who can remove an obstacle. */
  public enum Kind {
    NONE,
    /** A person: invalid spec, missing Secret or key, quota, a terminating namespace. */
    INPUT,
    /** Time: a git or Flux source that cannot be reached. */
    SOURCE
  }

  /** The spec, or something it refers to, has to be changed. */
  public static Obstacle input(String reason, String message) {
    return new Obstacle(Kind.INPUT, reason, message);
  }

  /** The source does not answer. */
  public static Obstacle source(String message) {
    return new Obstacle(Kind.SOURCE, "SourceUnavailable", message);
  }

  /** Whether there is one. */
  public boolean exists() {
    return kind != Kind.NONE;
  }
}
