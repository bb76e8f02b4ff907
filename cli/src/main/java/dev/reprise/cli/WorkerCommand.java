package dev.reprise.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code reprise worker}: workflow code and activities. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description = "Runs the workflows of a cluster's Stacks and follows their operations.")
final class WorkerCommand implements Callable<Integer> {
  @Mixin TargetOptions options = new TargetOptions();

  @Override
  public Integer call() throws InterruptedException {
    UntilEnded.listen();
    try (Target target = Target.find(options)) {
      target.temporal().awaitServing(Duration.ZERO);
      work(target);
      return ExitCode.DONE;
    }
  }

  private void work(Target target) throws InterruptedException {
    try (Sweeper sweeper = new Sweeper(target);
        StackWorker worker = target.worker(DevInstance.running(options.state()).isEmpty())) {
      worker.start();
      System.err.println("working for cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
    }
  }
}
