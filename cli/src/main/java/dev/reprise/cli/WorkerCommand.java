package dev.reprise.cli;

import dev.reprise.cli.ops.Logs;
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
  @Mixin OpsOptions ops = new OpsOptions();

  @Override
  public Integer call() throws InterruptedException {
    Policy defaults = policy.defaults(System.getenv());
    Logs logs = ops.logs();
    logs.to(System.err);
    UntilEnded.listen();
    try (Ops watched = Ops.start(ops, logs, System.getenv(), true)) {
      watched.addWaiting("pollers");
      work(watched, defaults);
      return ExitCode.DONE;
    }
  }

  private void work(Ops watched, Policy defaults) throws InterruptedException {
    try (Target target = Target.find(options, watched.metrics().scope())) {
      watched.add(target.temporal());
      target.temporal().awaitServing(Duration.ZERO);
      work(watched, target, defaults);
    }
  }

  private void work(Ops watched, Target target, Policy defaults) throws InterruptedException {
    boolean sticky = DevInstance.running(options.state()).isEmpty();
    try (Sweeper sweeper = new Sweeper(target);
        StackWorker worker = target.worker(sticky, defaults, watched.activities())) {
      worker.start();
      watched.add(worker);
      System.err.println("working for cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
    }
  }
}
