package dev.reprise.cli;

import dev.reprise.stack.spec.Policy;
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
  @Mixin PolicyOptions policy = new PolicyOptions();

  @Override
  public Integer call() throws InterruptedException {
    Policy defaults = policy.defaults(System.getenv());
    UntilEnded.listen();
    try (Target target = Target.find(options)) {
      target.temporal().awaitServing(Duration.ZERO);
      work(target, defaults);
      return ExitCode.DONE;
    }
  }

  private void work(Target target, Policy defaults) throws InterruptedException {
    try (Sweeper sweeper = new Sweeper(target);
        StackWorker worker =
            target.worker(DevInstance.running(options.state()).isEmpty(), defaults)) {
      worker.start();
      System.err.println("working for cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
    }
  }
}
