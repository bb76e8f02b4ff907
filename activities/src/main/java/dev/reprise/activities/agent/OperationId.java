package dev.reprise.activities.agent;

import java.util.Optional;

/**
 * The parts of an operation's id {@code <uid>/<generation>/<kind>/<update>}.
 *
 * @param work everything but the update: ids that share it stand for the same work
 */
public record OperationId(String work) {

  /** Empty for an id of another form, which somebody else minted. */
  static Optional<OperationId> parse(String id) {
    String[] parts = id.split("/", -1);
    return parts.length == 4
        ? Optional.of(new OperationId(parts[0] + "/" + parts[1] + "/" + parts[2]))
        : Optional.empty();
  }

  /** Whether both ids stand for the same generation and kind of the same Stack. */
  public static boolean sameWork(String one, String other) {
    return parse(one).isPresent() && parse(one).equals(parse(other));
  }
}
