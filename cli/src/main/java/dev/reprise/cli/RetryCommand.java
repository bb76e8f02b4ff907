package dev.reprise.cli;

import dev.reprise.workflows.workflow.RetryRequest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise retry}: one attempt now. */
@Command(
    name = "retry",
    mixinStandardHelpOptions = true,
    description = "Ends a Stack's wait and makes one attempt now; says what will happen.")
final class RetryCommand implements Callable<Integer> {
  @Mixin StackOptions options = new StackOptions();

  @Option(
      names = "--reset-failures",
      description = "Also count failures anew, so that the next cooldown is the first again.")
  boolean resetFailures;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "reprise retry",
      description = "Why, for the record.")
  String reason = "";

  @Override
  public Integer call() {
    try (Target target = options.target()) {
      GenericKubernetesResource stack = options.find(target);
      RetryRequest request = new RetryRequest(resetFailures, reason);
      String answer = options.run(target, stack).ask(run -> run.retry(request));
      System.out.println(StackRow.of(stack).name() + ": " + answer);
      return ExitCode.DONE;
    }
  }
}
