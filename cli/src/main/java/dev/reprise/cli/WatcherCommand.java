package dev.reprise.cli;

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

  @Override
  public Integer call() throws InterruptedException {
    UntilEnded.listen();
    try (Target target = Target.find(options);
        Watcher watcher = target.watcher()) {
      watcher.start();
      System.err.println("watching cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
      return ExitCode.DONE;
    }
  }
}
