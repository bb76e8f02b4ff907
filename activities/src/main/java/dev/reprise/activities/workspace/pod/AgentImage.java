package dev.reprise.activities.workspace.pod;

import java.util.List;

/**
 * The image from which every workspace's pod gets its agent, whatever image its program runs in.
 *
 * @param image the image's name, by tag or digest
 * @param pullPolicy {@code Always}, {@code IfNotPresent} or {@code Never}
 * @param kind whose agent it holds
 */
public record AgentImage(String image, String pullPolicy, Kind kind) {

  /** Whose agent an image holds. All of them take the same arguments. */
  public enum Kind {
    /**
     * Reprise's: the image holds {@code /agent}, a launcher that looks for {@code runtime} beside
     * itself, the Java runtime {@code /runtime} with the agent in it, and {@code /tini}.
     */
    OWN,
    /**
     * The Pulumi Kubernetes Operator's image as it is published: {@code /agent} and {@code /tini}.
     */
    PKO;

    /** What a workspace needs of the image. */
    List<String> files() {
      return switch (this) {
        case OWN -> List.of("/agent", "/tini", "/runtime");
        case PKO -> List.of("/agent", "/tini");
      };
    }
  }

  /** Pulled when it is not there yet. */
  public static AgentImage of(String image, Kind kind) {
    return new AgentImage(image, "IfNotPresent", kind);
  }
}
