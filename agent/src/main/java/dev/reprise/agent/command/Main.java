package dev.reprise.agent.command;

import java.util.Arrays;
import picocli.CommandLine;

/** The agent as a program of its own. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new AgentCommand()).execute(withoutSeparator(arguments)));
  }

  /** Some versions of tini hand the separator between their arguments and ours on. */
  static String[] withoutSeparator(String... arguments) {
    return arguments.length > 0 && arguments[0].equals("--")
        ? Arrays.copyOfRange(arguments, 1, arguments.length)
        : arguments;
  }
}
