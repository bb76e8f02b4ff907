package dev.reprise.cli;

import dev.reprise.stack.spec.Policy;
import dev.reprise.watcher.Watcher;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise watcher}: wakes a run for each Stack that wants something. */
@Command(
    name = "watcher",
    mixinStandardHelpOptions = true,
    description =
        "Watches the Stacks of a cluster and wakes a workflow for each that wants something.")
final class WatcherCommand implements Callable<Integer> {
  @Mixin TargetOptions options = new TargetOptions();
  @Mixin PolicyOptions policy = new PolicyOptions();

  @Override
  public Integer call() throws InterruptedException {
    Policy defaults = policy.defaults(System.getenv());
    UntilEnded.listen();
    try (Target target = Target.find(options);
        Watcher watcher = target.watcher(defaults)) {
      watcher.start();
      System.err.println("watching cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
      return ExitCode.DONE;
    }
  }
}
