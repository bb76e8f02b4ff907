package dev.reprise.agent.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What to start.
 *
 * @param command program and arguments
 * @param directory the working directory
 * @param environment the whole environment of the child, nothing is inherited
 * @param interruptGroup whether an interrupt goes to the whole process group, as Ctrl-C on a
 *     terminal does (right for shell scripts, which wait for the command they run), or to the first
 *     process alone (right for programs that interrupt their own children)
 * @param input the file to read as standard input
 * @param output the file standard output goes to; {@link #PIPE} to read it line by line
 */
public record ChildSpec(
    List<String> command,
    Path directory,
    Map<String, String> environment,
    boolean interruptGroup,
    Path input,
    Path output) {
  /** Standard output goes to the {@link OutputListener}. */
  public static final Path PIPE = Path.of("");

  private static final Path NOTHING = Path.of("/dev/null");

  public ChildSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** Without input, with the output to be read line by line. */
  public static ChildSpec of(
      List<String> command, Path directory, Map<String, String> environment, boolean group) {
    return new ChildSpec(command, directory, environment, group, NOTHING, PIPE);
  }

  /** The same with standard input and output in files. */
  public ChildSpec withFiles(Path newInput, Path newOutput) {
    return new ChildSpec(command, directory, environment, interruptGroup, newInput, newOutput);
  }
}
