package dev.reprise.cli;

import dev.reprise.cli.ops.Logs;
import dev.reprise.stack.spec.Policy;
import dev.reprise.watcher.Watcher;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code reprise watcher}: wakes a run for each Stack that wants something. */
@Command(
    name = "watcher",
    mixinStandardHelpOptions = true,
    description =
        "Watches the Stacks of a cluster and wakes a workflow for each that wants something.")
final class WatcherCommand implements Callable<Integer> {
  @Mixin TargetOptions options = new TargetOptions();
  @Mixin PolicyOptions policy = new PolicyOptions();
  @Mixin OpsOptions ops = new OpsOptions();

  @Option(
      names = "--watch-inputs",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Watch the Secrets and ConfigMaps that Stacks refer to, so that a change starts an"
              + " operation at once; needs the right to list and watch them. Without, it is found"
              + " when a Stack looks for another reason, once a day at the latest (default: true).")
  boolean inputs;

  @Override
  public Integer call() throws InterruptedException {
    Policy defaults = policy.defaults(System.getenv());
    Logs logs = ops.logs();
    logs.to(System.err);
    UntilEnded.listen();
    try (Ops watched = Ops.start(ops, logs, System.getenv(), true);
        Target target = Target.find(options, watched.metrics().scope());
        Watcher watcher = target.watcher(defaults, inputs);
        OperatorGuard guard = OperatorGuard.of(target.kubernetes())) {
      watched.add(target.temporal());
      watched.add(watcher);
      watched.add(guard);
      watcher.suspend();
      watcher.start();
      guard.start(watcher::suspend, watcher::resume);
      System.err.println("watching cluster " + target.cluster() + "; Ctrl-C ends it");
      UntilEnded.await();
      return ExitCode.DONE;
    }
  }
}
