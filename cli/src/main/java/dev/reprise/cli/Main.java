package dev.reprise.cli;

import dev.reprise.agent.command.AgentCommand;
import java.security.Security;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code reprise}: the entry point of every process and command. */
@Command(
    name = "reprise",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Makes Pulumi Stacks in Kubernetes retry durably.",
    subcommands = {
      DevCommand.class,
      WatcherCommand.class,
      WorkerCommand.class,
      AgentCommand.class,
      GetCommand.class,
      RetryCommand.class,
      HoldCommand.class,
      ResumeCommand.class,
      CancelCommand.class,
      RepairCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed; one line says what to do",
      "2:wrong usage",
      "3:dev --until: the timeout passed first",
      "130:ended by Ctrl-C"
    })
public final class Main implements Callable<Integer> {
  /**
   * For so many seconds this JVM believes a name's address, 30 unless told. The agents' headless
   * services point at another pod as soon as theirs is replaced.
   */
  private static final String NAMES_KEPT_SECONDS = "5";

  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    Security.setProperty("networkaddress.cache.ttl", NAMES_KEPT_SECONDS);
    Security.setProperty("networkaddress.cache.negative.ttl", NAMES_KEPT_SECONDS);
    int exitCode = run(arguments);
    UntilEnded.closed();
    System.exit(exitCode);
  }

  static int run(String... arguments) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::explain)
        .execute(arguments);
  }

  @Override
  public Integer call() {
    CommandLine.usage(this, System.out);
    return ExitCode.USAGE;
  }

  /** One clear line for what a person can mend; everything else is a bug and shows its trace. */
  private static int explain(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    if (failure instanceof UserProblem) {
      command.getErr().println("reprise: " + failure.getMessage());
    } else {
      failure.printStackTrace(command.getErr());
    }
    return ExitCode.FAILED;
  }
}
