package dev.reprise.cli;

import dev.reprise.workflows.activity.StackRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of every command about one Stack. */
final class StackOptions {
  @Mixin TargetOptions target = new TargetOptions();

  @Parameters(paramLabel = "NAME", description = "The Stack.")
  private String name = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "default",
      description = "Its namespace (default: ${DEFAULT-VALUE}).")
  private String namespace = "";

  /** The cluster and the Temporal namespace it is in. */
  Target target() {
    return Target.find(target);
  }

  /** The Stack as it is now. */
  GenericKubernetesResource find(Target in) {
    return new StackList(in.kubernetes())
        .find(namespace, name)
        .orElseThrow(
            () ->
                new UserProblem(
                    "there is no Stack %s in namespace %s; see: reprise get"
                        .formatted(name, namespace)));
  }

  /** Its open run. */
  OpenRun run(Target in, GenericKubernetesResource stack) {
    return new OpenRun(
        in.temporal().client(), new StackRef(namespace, name, stack.getMetadata().getUid()));
  }
}
