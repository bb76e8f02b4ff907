package dev.reprise.agent.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts children so that their whole tree can be found again: in a session of their own where the
 * {@code setsid} program exists, and marked with {@link #MARK}, by which a restarted agent finds
 * what its predecessor left.
 */
public final class Launcher {
  /** The variable every child carries; its value is the agent's state folder. */
  public static final String MARK = "REPRISE_AGENT";

  private static final int PROBE_SECONDS = 5;

  private final String mark;
  private final List<String> prefix;
  private final boolean ownGroup;

  /**
   * @param stateDir the folder that tells this agent from every other one on the machine
   * @throws IOException if the folder does not exist
   */
  public Launcher(Path stateDir) throws IOException {
    this.mark = stateDir.toRealPath().toString();
    List<String> words = new ArrayList<>();
    // A program started in the background of a script inherits "ignore SIGINT", and a shell cannot
    // undo that: without this such a child could only be cancelled with SIGKILL.
    if (works("env", "--default-signal=INT", "true")) {
      words.addAll(List.of("env", "--default-signal=INT"));
    }
    this.ownGroup = works("setsid", "true");
    if (ownGroup) {
      words.add("setsid");
    }
    this.prefix = List.copyOf(words);
  }

  /** The variables that mark a child, with those given. */
  public Map<String, String> marks(Map<String, String> more) {
    Map<String, String> marks = new HashMap<>(more);
    marks.put(MARK, mark);
    return marks;
  }

  /** Whatever a former agent with the same state folder left running. */
  public List<ProcessHandle> survivors() {
    return ProcessTree.marked(marks(Map.of()));
  }

  /**
   * Starts a child.
   *
   * @param marks variables that tell its tree from that of other children of this agent
   * @throws IOException if it cannot be started
   */
  public ChildProcess start(ChildSpec spec, Map<String, String> marks) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(spec.command());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(spec.directory().toFile())
            .redirectInput(ProcessBuilder.Redirect.from(spec.input().toFile()));
    if (!spec.output().equals(ChildSpec.PIPE)) {
      builder.redirectOutput(spec.output().toFile());
    }
    Map<String, String> environment = builder.environment();
    environment.clear();
    environment.putAll(spec.environment());
    Map<String, String> all = marks(marks);
    environment.putAll(all);
    return new ChildProcess(builder.start(), all, ownGroup && spec.interruptGroup());
  }

  private static boolean works(String... command) {
    try {
      Process probe =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = probe.waitFor(PROBE_SECONDS, TimeUnit.SECONDS);
      probe.destroyForcibly();
      return ended && probe.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Looks a program up on a search path such as the value of {@code PATH}. */
  public static boolean onPath(String program, String path) {
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
