package dev.reprise.cli;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise hold}: no new operation until {@code reprise resume}. */
@Command(
    name = "hold",
    aliases = "pause",
    mixinStandardHelpOptions = true,
    description =
        "Lets a Stack's running operation finish and starts no other until reprise resume; a"
            + " deletion still proceeds.")
final class HoldCommand implements Callable<Integer> {
  @Mixin StackOptions options = new StackOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "reprise hold",
      description = "Why; shown until the hold ends.")
  String reason = "";

  @Override
  public Integer call() {
    try (Target target = options.target()) {
      GenericKubernetesResource stack = options.find(target);
      options.run(target, stack).tell(run -> run.hold(reason));
      String name = StackRow.of(stack).name();
      System.out.println(
          "%s: held (%s); to go on: %s".formatted(name, reason, ResumeCommand.line(stack)));
      return ExitCode.DONE;
    }
  }
}
