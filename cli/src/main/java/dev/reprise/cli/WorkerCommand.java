package dev.reprise.cli;

import dev.reprise.activities.workspace.Workspaces;
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
  @Mixin WorkspaceOptions where = new WorkspaceOptions();
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
    try (Target target = Target.find(options, watched.metrics().scope());
        OperatorGuard guard = OperatorGuard.of(target.kubernetes())) {
      watched.add(target.temporal());
      watched.add(guard);
      target.temporal().awaitServing(Duration.ZERO);
      if (where.inPods(System.getenv())) {
        Workspaces pods =
            where.pods(target.kubernetes(), target.digests(), System.getenv(), guard::clear);
        try (IdleRounds rounds =
            new IdleRounds(target.kubernetes(), defaults, pods, guard::clear)) {
          work(watched, target, guard, defaults, pods, false);
        }
      } else {
        work(watched, target, guard, defaults, target.workspaces(), true);
      }
    }
  }

  private void work(
      Ops watched,
      Target target,
      OperatorGuard guard,
      Policy defaults,
      Workspaces workspaces,
      boolean local)
      throws InterruptedException {
    boolean sticky = DevInstance.running(options.state()).isEmpty();
    try (Sweeper sweeper = new Sweeper(target.kubernetes(), workspaces, guard::clear);
        StackWorker worker =
            target.worker(sticky, defaults, workspaces, local, watched.activities())) {
      guard.start(worker::suspend, worker::resume);
      watched.add(worker);
      System.err.println("working for cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
      guard.close(); // It would take up work again.
    }
  }
}
