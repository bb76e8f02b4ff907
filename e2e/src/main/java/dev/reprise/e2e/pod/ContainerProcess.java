package dev.reprise.e2e.pod;

import dev.reprise.e2e.engine.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The processes of a container, from its first one's start to the end of them all. */
final class ContainerProcess {
  /**
   * Starts the first process of the new process namespace and ends as it does. (unshare can do that
   * too, but says 1 of one that was killed.)
   */
  private static final String FIRST = "echo $$ >\"$1\"; shift; \"$@\" & wait $!";

  private final Launch launch;
  private final Process launcher;
  private final CompletableFuture<Integer> ended;

  /**
   * What is started.
   *
   * @param networkNamespace the pod's
   * @param script makes the file system and then runs its arguments
   * @param joined the file of a control group that its members write their number to
   * @param privileges as whom
   * @param environment all its variables
   * @param workingDir where
   * @param command the program and its arguments
   * @param log where its output is added
   */
  record Launch(
      String networkNamespace,
      Path script,
      Path joined,
      Privileges privileges,
      Map<String, String> environment,
      String workingDir,
      List<String> command,
      Path log) {

    private List<String> confined(List<String> program) {
      List<String> command = new ArrayList<>(privileges.command());
      command.add("/usr/bin/env");
      command.add("-i");
      // A shell lets what it runs in the background ignore some.
      command.add("--default-signal");
      command.add("--chdir=" + workingDir);
      environment.forEach((name, value) -> command.add(name + "=" + value));
      command.addAll(program);
      return command;
    }
  }

  private ContainerProcess(Launch launch, Process launcher) {
    this.launch = launch;
    this.launcher = launcher;
    this.ended = launcher.onExit().thenApply(Process::exitValue);
  }

  static ContainerProcess start(Launch launch) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--net=/run/netns/" + launch.networkNamespace(),
                "unshare",
                "--mount",
                "--uts",
                "--ipc",
                "--pid",
                "sh",
                "-c",
                FIRST,
                "sh",
                launch.joined().toString(),
                "sh",
                launch.script().toString()));
    command.addAll(launch.confined(launch.command()));
    try {
      return new ContainerProcess(
          launch,
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(Redirect.appendTo(launch.log().toFile()))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for its end; the exit code is 128 and the signal's number when a signal ended it. */
  int join() {
    return ended.join();
  }

  /** Waits for its end; false when the limit passes first. */
  boolean join(Duration limit) {
    try {
      ended.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first process of the container; empty before it is there and after its end. */
  private Optional<ProcessHandle> first() {
    return launcher.children().findFirst();
  }

  /** Asks its first process to end. */
  void terminate() {
    first().ifPresent(ProcessHandle::destroy);
  }

  /** Ends all of its processes without warning, and waits for that. */
  void kill() {
    do {
      first().ifPresentOrElse(ProcessHandle::destroyForcibly, launcher::destroyForcibly);
    } while (!join(Duration.ofMillis(100)));
  }

  /** All its processes, by the numbers that this machine has for them. */
  List<Long> pids() {
    Optional<Path> namespace = first().flatMap(process -> pidNamespace(process.pid()));
    if (namespace.isEmpty()) {
      return List.of();
    }
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.map(ProcessHandle::pid)
          .filter(pid -> pidNamespace(pid).equals(namespace))
          .toList();
    }
  }

  private static Optional<Path> pidNamespace(long pid) {
    try {
      return Optional.of(Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid")));
    } catch (IOException e) {
      // It has ended meanwhile.
      return Optional.empty();
    }
  }

  /** Sends a signal to all of its processes, those included that are started meanwhile. */
  void signalAll(String name) {
    Set<Long> signalled = new HashSet<>();
    for (Set<Long> found = new HashSet<>(pids());
        signalled.addAll(found);
        found = new HashSet<>(pids())) {
      List<String> command = new ArrayList<>(List.of("kill", "-" + name));
      found.forEach(pid -> command.add(Long.toString(pid)));
      // Not all may be there any more, which is no error.
      Commands.tried(Map.of(), "", command);
    }
  }

  /** Runs a command inside, as the container's user. */
  Commands.Ended exec(List<String> program) {
    ProcessHandle first =
        first().orElseThrow(() -> new IllegalStateException("the container does not run"));
    List<String> command =
        new ArrayList<>(
            List.of(
                "nsenter",
                "--target=" + first.pid(),
                "--mount",
                "--uts",
                "--ipc",
                "--net",
                "--pid",
                "--root"));
    command.addAll(launch.confined(program));
    return Commands.tried(Map.of(), "", command);
  }
}
