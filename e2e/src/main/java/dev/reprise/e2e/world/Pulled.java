package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Programs;
import dev.reprise.e2e.engine.TextFiles;
import dev.reprise.e2e.pod.Image;
import dev.reprise.e2e.pod.Image.Layer;
import dev.reprise.e2e.pod.Images;
import dev.reprise.e2e.pod.ProductImages;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What stands for the images: the product's two, an agent that knows no operation ids, and for
 * every other name Pulumi's.
 */
final class Pulled {
  /** An agent that behaves as the one of the Pulumi Kubernetes Operator. */
  static final String PLAIN_AGENT = "plain-agent:1";

  /** An image that no registry has. */
  static final String MISSING = "no-such-image:1";

  private static final String VERSION = "0.1.0-SNAPSHOT";
  private static final String AGENT = "/opt/plain-agent";
  private static final Layer TINI = new Layer(Path.of("/usr/bin/tini-static"), "/tini");

  private Pulled() {}

  static Images images(Path repository, Programs programs, Path folder) {
    ProductImages product = new ProductImages(repository, programs);
    return new Images(
        Map.of(
            "reprise:" + VERSION,
            product.reprise(),
            "reprise-agent:" + VERSION,
            product.agent(),
            PLAIN_AGENT,
            plainAgent(repository, folder, product.agent().user())),
        Set.of(MISSING),
        withAgent(product.workspace(), repository));
  }

  /**
   * From PKO's image only two files are copied, so this agent's runtime is in the workspace's image
   * too.
   */
  private static Image plainAgent(Path repository, Path folder, Image.User user) {
    return new Image(
        List.of(new Layer(launcher(folder), "/agent"), itself(repository), TINI),
        List.of("/tini", "/agent", "--"),
        Map.of(),
        user);
  }

  private static Layer itself(Path repository) {
    return new Layer(repository.resolve("agent/target/image"), AGENT);
  }

  private static Path launcher(Path folder) {
    return TextFiles.write(
        folder.resolve("plain-agent"),
        """
        #!/bin/sh
        if [ "$1" = -- ]; then shift; fi
        if [ "$1" = serve ]; then shift; set -- serve --plain "$@"; fi
        exec %s/agent "$@"
        """
            .formatted(AGENT));
  }

  private static Image withAgent(Image workspace, Path repository) {
    List<Layer> layers = new ArrayList<>(workspace.layers());
    layers.add(itself(repository));
    return new Image(layers, workspace.entrypoint(), workspace.environment(), workspace.user());
  }
}
