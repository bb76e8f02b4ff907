package dev.reprise.agent.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and ends everything that a child has started. A process belongs to the tree if it descends
 * from the root, is in the root's session or process group, or carries the environment variables
 * the root was started with: the last also finds those that were re-parented or made a session of
 * their own. Where there is no {@code /proc} only the first holds.
 */
public final class ProcessTree {
  private static final Logger log = LoggerFactory.getLogger(ProcessTree.class);
  private static final Path PROC = Path.of("/proc");
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(20);

  private ProcessTree() {}

  /** The living processes whose environment has all these variables; without this process. */
  public static List<ProcessHandle> marked(Map<String, String> marks) {
    return scan(stat -> hasMarks(stat.pid(), marks));
  }

  /** The living members of the tree of {@code root}, the root included. */
  static List<ProcessHandle> members(ProcessIdentity root, Map<String, String> marks) {
    List<ProcessHandle> found =
        new ArrayList<>(
            scan(
                stat ->
                    stat.session() == root.pid()
                        || stat.group() == root.pid()
                        || hasMarks(stat.pid(), marks)));
    if (root.alive()) {
      ProcessHandle.of(root.pid())
          .ifPresent(
              handle -> {
                found.add(handle);
                handle.descendants().forEach(found::add);
              });
    }
    return found;
  }

  /**
   * Sends SIGINT to a process, or to its whole group. Nothing happens if it is gone.
   *
   * @throws IOException if no shell could be run to send it; Java itself has no call for it
   */
  public static void interrupt(ProcessIdentity process, boolean group) throws IOException {
    if (!group && !process.alive()) {
      return;
    }
    String target = (group ? "-" : "") + process.pid();
    new ProcessBuilder("/bin/sh", "-c", "kill -INT " + target)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /**
   * SIGKILL to what {@code find} returns, again and again until it returns nothing, since a process
   * can start another between being found and being killed. Gives up after 10 seconds with a line
   * in the log.
   */
  public static void kill(Supplier<List<ProcessHandle>> find) throws InterruptedException {
    long deadline = System.nanoTime() + KILL_LIMIT.toNanos();
    List<ProcessHandle> left = find.get();
    while (!left.isEmpty()) {
      if (System.nanoTime() > deadline) {
        log.warn("processes did not end on SIGKILL: {}", left);
        return;
      }
      left.forEach(ProcessHandle::destroyForcibly);
      Thread.sleep(POLL);
      left = find.get();
    }
  }

  private interface Test {
    boolean accepts(ProcStat stat);
  }

  private static List<ProcessHandle> scan(Test test) {
    List<ProcessHandle> found = new ArrayList<>();
    long self = ProcessHandle.current().pid();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(process.getFileName().toString());
        if (pid != self) {
          ProcStat.read(pid)
              .filter(stat -> !stat.zombie() && test.accepts(stat))
              .flatMap(stat -> ProcessHandle.of(pid))
              .ifPresent(found::add);
        }
      }
    } catch (IOException noProc) {
      return found;
    }
    return found;
  }

  private static boolean hasMarks(long pid, Map<String, String> marks) {
    if (marks.isEmpty()) {
      return false;
    }
    try {
      byte[] environment = Files.readAllBytes(PROC.resolve(pid + "/environ"));
      List<String> variables =
          List.of(new String(environment, StandardCharsets.UTF_8).split("\0", -1));
      return marks.entrySet().stream()
          .allMatch(mark -> variables.contains(mark.getKey() + "=" + mark.getValue()));
    } catch (IOException goneOrNotOurs) {
      return false;
    }
  }
}
