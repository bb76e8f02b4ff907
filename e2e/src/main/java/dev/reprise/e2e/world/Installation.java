package dev.reprise.e2e.world;

import dev.reprise.e2e.engine.Commands;
import dev.reprise.e2e.engine.ControlPlane;
import dev.reprise.e2e.engine.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The product in a cluster, put there by Helm from the chart of this repository, and nothing else.
 */
public final class Installation {
  /** Where the product lives. */
  public static final String NAMESPACE = "reprise";

  private final Programs programs;
  private final ControlPlane cluster;
  private final Path chart;

  /**
   * A chart that can be installed.
   *
   * @param repository the root of this repository
   */
  public Installation(Programs programs, ControlPlane cluster, Path repository) {
    this.programs = programs;
    this.cluster = cluster;
    this.chart = repository.resolve("helm/reprise");
  }

  /**
   * Installs it, or upgrades it to these values, and waits until its pods are ready.
   *
   * @param values as {@code --set} takes them
   */
  public void install(Map<String, String> values) {
    List<String> command =
        new ArrayList<>(
            List.of(
                programs.path("helm"),
                "upgrade",
                "reprise",
                chart.toString(),
                "--install",
                "--create-namespace",
                "--namespace=" + NAMESPACE,
                "--kubeconfig=" + cluster.adminKubeconfig(),
                "--wait",
                "--timeout=110s"));
    values.forEach((name, value) -> command.add("--set=" + name + "=" + value));
    Commands.run(Map.of("HELM_CACHE_HOME", "/nonexistent"), command);
  }
}
