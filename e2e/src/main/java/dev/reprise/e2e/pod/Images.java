package dev.reprise.e2e.pod;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The images that can be had, by name as pods have it. */
public final class Images {
  private final Map<String, Image> named;
  private final Set<String> missing;
  private final Image other;

  /**
   * A registry.
   *
   * @param named images by their exact name, or without a tag for every tag
   * @param missing exact names that cannot be pulled
   * @param other what every other name gives
   */
  public Images(Map<String, Image> named, Set<String> missing, Image other) {
    this.named = Map.copyOf(named);
    this.missing = Set.copyOf(missing);
    this.other = other;
  }

  /** The image of a name; empty when it cannot be pulled. */
  Optional<Image> pull(String name) {
    if (missing.contains(name)) {
      return Optional.empty();
    }
    String untagged = name.replaceFirst("(@sha256)?:[^/:]*$", "");
    return Optional.of(named.getOrDefault(name, named.getOrDefault(untagged, other)));
  }
}
