package dev.reprise.cli;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise cancel}: ends the running operation gracefully. */
@Command(
    name = "cancel",
    mixinStandardHelpOptions = true,
    description =
        "Ends a Stack's running operation gracefully, as Ctrl-C does; it is not counted as a"
            + " failure, and tried again after the cooldown.")
final class CancelCommand implements Callable<Integer> {
  @Mixin StackOptions options = new StackOptions();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "reprise cancel",
      description = "Why, for the record.")
  String reason = "";

  @Override
  public Integer call() {
    try (Target target = options.target()) {
      GenericKubernetesResource stack = options.find(target);
      String answer = options.run(target, stack).ask(run -> run.cancel(reason));
      System.out.println(StackRow.of(stack).name() + ": " + answer);
      return ExitCode.DONE;
    }
  }
}
