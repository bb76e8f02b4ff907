package dev.reprise.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of every command that works on a cluster. */
final class TargetOptions {
  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "Where reprise dev keeps its state (default: .reprise).")
  private Path state = DevInstance.DEFAULT_STATE;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description =
          "Names the cluster among those that share the Temporal namespace (default: 8 digits of"
              + " the uid of namespace kube-system).")
  private String cluster = "";

  Path state() {
    return state;
  }

  String cluster() {
    return cluster;
  }
}
