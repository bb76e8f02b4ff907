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
 */
public record ChildSpec(
    List<String> command, Path directory, Map<String, String> environment, boolean interruptGroup) {
  public ChildSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
