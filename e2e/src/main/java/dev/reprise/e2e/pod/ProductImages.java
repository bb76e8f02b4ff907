package dev.reprise.e2e.pod;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.reprise.e2e.engine.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The product's images, put together from what the build left in the repository as the Dockerfiles
 * say: {@code reprise} (needs {@code mvn package}), {@code reprise-agent} (needs {@code
 * agent/make-image} and Debian's package tini), and for every other name what stands for Pulumi's
 * image: the engines on the path.
 */
public final class ProductImages {
  private static final String USUAL_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  private static final Pattern ENTRYPOINT =
      Pattern.compile("^ENTRYPOINT (\\[.*?\\])", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern USER = Pattern.compile("^USER (\\d+):(\\d+)", Pattern.MULTILINE);

  private final Path repository;
  private final Programs programs;

  /**
   * Those of a repository.
   *
   * @param repository its root, built
   * @param programs the engines
   */
  public ProductImages(Path repository, Programs programs) {
    this.repository = repository.toAbsolutePath().normalize();
    this.programs = programs;
  }

  /** All of them. */
  public Images all() {
    return new Images(
        Map.of("reprise", reprise(), "reprise-agent", agent()), Set.of(), workspace());
  }

  /** The image of watcher and worker, with the Java that runs this. */
  public Image reprise() {
    String dockerfile = read("Dockerfile");
    return new Image(
        List.of(
            new Image.Layer(Path.of(System.getProperty("java.home")), "/opt/java"),
            new Image.Layer(built("cli/target/reprise-cli.jar"), "/opt/reprise/reprise-cli.jar"),
            new Image.Layer(built("cli/target/lib"), "/opt/reprise/lib")),
        entrypoint(dockerfile),
        Map.of("PATH", "/opt/java/bin:" + USUAL_PATH),
        user(dockerfile));
  }

  /** The image that brings the agent into workspaces. */
  public Image agent() {
    String dockerfile = read("agent/Dockerfile");
    return new Image(
        List.of(
            new Image.Layer(built("agent/target/image/agent"), "/agent"),
            new Image.Layer(built("agent/target/image/runtime"), "/runtime"),
            new Image.Layer(existing(Path.of("/usr/bin/tini-static")), "/tini")),
        entrypoint(dockerfile),
        Map.of(),
        user(dockerfile));
  }

  /** What stands for the image that workspaces run in: Pulumi, and the other engines. */
  public Image workspace() {
    return new Image(
        List.of(new Image.Layer(programs.folder(), "/opt/engines/bin")),
        List.of("pulumi"),
        Map.of("PATH", "/opt/engines/bin:" + USUAL_PATH, "HOME", "/home/pulumi"),
        Image.ROOT);
  }

  private Path built(String path) {
    return existing(repository.resolve(path));
  }

  private static Path existing(Path path) {
    if (!Files.exists(path)) {
      throw new IllegalStateException(
          path + " is not there; build with mvn package and agent/make-image, install tini");
    }
    return path;
  }

  private String read(String path) {
    try {
      return Files.readString(repository.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> entrypoint(String dockerfile) {
    try {
      return new ObjectMapper()
          .readValue(
              found(ENTRYPOINT, dockerfile).group(1).replace("\\\n", ""), new TypeReference<>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Image.User user(String dockerfile) {
    Matcher user = found(USER, dockerfile);
    return new Image.User(Long.parseLong(user.group(1)), Long.parseLong(user.group(2)));
  }

  private static Matcher found(Pattern pattern, String dockerfile) {
    Matcher matcher = pattern.matcher(dockerfile);
    if (!matcher.find()) {
      throw new IllegalStateException("the Dockerfile has nothing like " + pattern);
    }
    return matcher;
  }
}
