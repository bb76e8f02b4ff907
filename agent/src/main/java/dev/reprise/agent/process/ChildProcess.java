package dev.reprise.agent.process;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running child together with everything it starts. */
public final class ChildProcess {
  private static final Logger log = LoggerFactory.getLogger(ChildProcess.class);

  /** After the tree is gone its pipes are at their end; this is for a straggler nobody found. */
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);

  private final Process process;
  private final ProcessIdentity identity;
  private final Map<String, String> marks;
  private final boolean ownGroup;

  ChildProcess(Process process, Map<String, String> marks, boolean ownGroup) {
    this.process = process;
    this.identity = ProcessIdentity.of(process.pid());
    this.marks = Map.copyOf(marks);
    this.ownGroup = ownGroup;
  }

  public ProcessIdentity identity() {
    return identity;
  }

  /** Whether an interrupt goes to the whole group. */
  public boolean interruptsGroup() {
    return ownGroup;
  }

  /** SIGINT, see {@link ChildSpec#interruptGroup}. */
  public void interrupt() {
    try {
      if (process.isAlive()) {
        ProcessTree.interrupt(identity, ownGroup);
      }
    } catch (IOException e) {
      log.warn("cannot send SIGINT to process {}: it will be killed after its grace", identity, e);
    }
  }

  /** SIGKILL to the first process; {@link #await} then ends the rest of the tree. */
  public void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** {@link #await(OutputListener, Duration)} without a limit: for operations, which others end. */
  public int await(OutputListener listener) throws InterruptedException {
    return await(listener, Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Reads all output to its end, then returns the exit code; by then nothing of the tree is left.
   * If the calling thread is interrupted or the limit is reached the whole tree is killed first,
   * and the code is that of a killed process.
   *
   * @param listener called from two threads, one per stream
   */
  public int await(OutputListener listener, Duration limit) throws InterruptedException {
    Thread out = reader(OutputListener.Source.STDOUT, process.getInputStream(), listener);
    Thread err = reader(OutputListener.Source.STDERR, process.getErrorStream(), listener);
    try {
      if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        listener.line(OutputListener.Source.STDERR, "killed after its limit of " + limit);
        kill();
      }
      int code = process.waitFor();
      killLeftovers();
      return code;
    } catch (InterruptedException interrupted) {
      kill();
      killLeftovers();
      throw interrupted;
    } finally {
      join(out, process.getInputStream());
      join(err, process.getErrorStream());
    }
  }

  private void killLeftovers() throws InterruptedException {
    ProcessTree.kill(() -> ProcessTree.members(identity, marks));
  }

  private static Thread reader(
      OutputListener.Source source, InputStream stream, OutputListener listener) {
    return Thread.ofPlatform()
        .daemon()
        .name("child-" + source)
        .start(() -> LineReader.readAll(stream, line -> listener.line(source, line)));
  }

  private static void join(Thread reader, InputStream stream) throws InterruptedException {
    if (!reader.join(DRAIN_LIMIT)) {
      try {
        stream.close();
      } catch (IOException e) {
        log.debug("closing a child's output", e);
      }
    }
  }
}
