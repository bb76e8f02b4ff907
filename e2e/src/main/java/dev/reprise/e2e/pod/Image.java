package dev.reprise.e2e.pod;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What stands for a container image: the programs of this machine, and over them what the image
 * brings.
 *
 * @param layers files and folders of this machine, seen read-only at a place inside
 * @param entrypoint what runs when the pod names no command
 * @param environment its variables; {@code PATH} and {@code HOME} have defaults
 * @param user who runs it when the pod names nobody
 */
public record Image(
    List<Layer> layers, List<String> entrypoint, Map<String, String> environment, User user) {

  /** The user of images that name none. */
  public static final User ROOT = new User(0, 0);

  /**
   * A file or folder of an image.
   *
   * @param source where it is on this machine
   * @param target its absolute path inside
   */
  public record Layer(Path source, String target) {}

  /**
   * A user by numbers.
   *
   * @param uid the user's
   * @param gid its group's
   */
  public record User(long uid, long gid) {}

  public Image {
    layers = List.copyOf(layers);
    entrypoint = List.copyOf(entrypoint);
    environment = Map.copyOf(environment);
  }
}
