package dev.reprise.cli;

import dev.reprise.agent.command.DurationConverter;
import dev.reprise.cli.ops.Logs;
import dev.reprise.dev.KeptStateException;
import dev.reprise.dev.PortInUseException;
import dev.reprise.dev.manifest.Manifest;
import dev.reprise.dev.manifest.ManifestFolder;
import dev.reprise.dev.manifest.ManifestListener;
import dev.reprise.dev.manifest.ManifestProblem;
import dev.reprise.stack.spec.Policy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code reprise dev}: everything in one process, for one folder of manifests. */
@Command(
    name = "dev",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the whole of Reprise for a folder of manifests and follows their edits.",
      "Needs nothing but Java: Temporal and the Kubernetes API are embedded, unless the temporal"
          + " program is on the PATH, TEMPORAL_ADDRESS names a server, or --kube is given."
    })
final class DevCommand implements Callable<Integer> {
  private static final Duration REFRESH = Duration.ofMillis(250);

  @Mixin TargetOptions options = new TargetOptions();
  @Mixin PolicyOptions policy = new PolicyOptions();
  @Mixin OpsOptions ops = new OpsOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "A folder with manifests, or one manifest (default: examples/quickstart).")
  Path manifests = Path.of("");

  @Option(
      names = "--until",
      paramLabel = "GOAL",
      defaultValue = "never",
      description =
          "End by itself: 'ready' when every Stack is ready, 'settled' when each is ready, stalled,"
              + " or has failed three times in a row.")
  Goal goal = Goal.NEVER;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "10m",
      converter = DurationConverter.class,
      description = "With --until: give up after so long, exit code 3 (default: ${DEFAULT-VALUE}).")
  Duration timeout = Duration.ZERO;

  @Option(names = "--kube", description = "Use the current context of the kubeconfig.")
  boolean kube;

  @Option(
      names = "--kube-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of the embedded Kubernetes API (default: any free one).")
  int kubePort;

  @Option(
      names = "--temporal-port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of the embedded Temporal service (default: any free one).")
  int temporalPort;

  @Option(
      names = "--without",
      paramLabel = "PART",
      description = "Leave out 'worker' or 'watcher', to run it as a process of its own.")
  List<DevSession.Part> without = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder = folder();
    Policy defaults = policy.defaults(System.getenv());
    UntilEnded.listen();
    try (FileChannel held = DevInstance.lock(options.state())) {
      Logs logs = ops.logs();
      logs.to(options.state().resolve("reprise.log"));
      try (Ops watched = Ops.start(ops, logs, System.getenv(), false);
          DevSession session = start(defaults, watched)) {
        return follow(session, folder);
      }
    }
  }

  private DevSession start(Policy defaults, Ops watched) throws IOException, InterruptedException {
    try {
      return DevSession.start(
          new DevSession.Options(options.state(), kube, kubePort, temporalPort, without, defaults),
          watched);
    } catch (PortInUseException | KeptStateException e) {
      throw new UserProblem(String.valueOf(e.getMessage()), e);
    }
  }

  private Path folder() {
    Path given = manifests.toString().isEmpty() ? Path.of("examples/quickstart") : manifests;
    if (!Files.exists(given)) {
      throw new UserProblem(
          given + " does not exist; name a folder with Stack manifests: reprise dev DIR");
    }
    return given;
  }

  private Integer follow(DevSession session, Path folder) throws InterruptedException {
    Screen screen = Screen.on(System.out);
    session.describe().forEach(screen::say);
    Teller teller = new Teller(screen);
    try (ManifestFolder applied =
        new ManifestFolder(folder, session.target().kubernetes(), teller, !kube)) {
      int objects = applied.sync();
      if (objects == 0 && goal != Goal.NEVER) {
        throw new UserProblem("there is nothing to apply in " + folder);
      }
      applied.follow();
      return untilEnd(new StackList(session.target().kubernetes()), screen, teller);
    }
  }

  private Integer untilEnd(StackList stacks, Screen screen, Teller teller)
      throws InterruptedException {
    Instant giveUp = Instant.now().plus(timeout);
    List<StackRow> rows = stacks.rows();
    while (!goal.reached(rows)) {
      screen.show(rows);
      if (goal != Goal.NEVER && Instant.now().isAfter(giveUp)) {
        screen.end(rows);
        System.err.println("reprise: not reached within the timeout: every Stack " + goal);
        return ExitCode.TIMED_OUT;
      }
      if (UntilEnded.await(REFRESH)) {
        screen.end(rows);
        return ExitCode.DONE;
      }
      rows = stacks.rows();
    }
    screen.show(rows);
    screen.end(rows);
    return teller.errors.get() == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  /** Says what becomes of the manifests, and counts those left out. */
  private static final class Teller implements ManifestListener {
    private final Screen screen;
    private final AtomicInteger errors = new AtomicInteger();

    Teller(Screen screen) {
      this.screen = screen;
    }

    @Override
    public void applied(Manifest manifest) {
      screen.say("applied " + manifest.title());
    }

    @Override
    public void removed(Manifest manifest) {
      screen.say("deleted " + manifest.title());
    }

    @Override
    public void problem(ManifestProblem problem) {
      if (problem.severity() == ManifestProblem.Severity.ERROR) {
        errors.incrementAndGet();
      }
      screen.say(problem.text());
    }
  }
}
