package dev.reprise.activities.workspace;

import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.kube.Redactor;
import dev.reprise.activities.workspace.AgentFiles.Launch;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.stack.source.Source;
import dev.reprise.stack.source.SourceUnavailable;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workspaces on this machine: a folder {@code <namespace>/<name>-<first 8 of uid>} per Stack, and
 * in it the state of an agent that runs as a process of its own. Any worker on the machine finds an
 * agent again by its files; a lock file settles who starts one.
 */
public final class LocalWorkspaces implements Workspaces {
  private static final Logger LOG = LoggerFactory.getLogger(LocalWorkspaces.class);

  /**
   * A JVM on a loaded machine takes some seconds; but an agent first ends what a former one left
   * running, with that operation's whole grace period.
   */
  private static final Duration START_LIMIT = AgentLauncher.CANCEL_GRACE.plusSeconds(60);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);

  private final Folders folders;
  private final AgentLauncher launcher;
  private final SourceFetcher fetcher;
  private final InstantSource clock;

  /**
   * Workspaces below a folder.
   *
   * @param stateDir where their folders are; one per dev instance or worker host
   * @param launcher how an agent is started
   * @param fetcher how programs get here
   * @param clock tells how long an agent has been starting
   */
  public LocalWorkspaces(
      Path stateDir, AgentLauncher launcher, SourceFetcher fetcher, InstantSource clock) {
    this.folders = new Folders(stateDir.toAbsolutePath());
    this.launcher = launcher;
    this.fetcher = fetcher;
    this.clock = clock;
  }

  @Override
  public Placement place(WorkspaceRequest request) {
    Path folder = folders.of(request.stack());
    try {
      folders.create(request.stack());
      AgentFiles files = files(folder);
      Optional<Endpoint> endpoint = files.endpoint();
      if (endpoint.isPresent()) {
        files.listening();
      }
      if (endpoint.isPresent() && request.purpose() instanceof Purpose.Deletion) {
        return new Placement.Ready(endpoint.get(), false);
      }
      Path program = program(folder, request);
      List<String> command = launcher.command(program, files.stateDir());
      String wanted = AgentProcess.fingerprint(command, request.environment());
      if (endpoint.isPresent()) {
        return new Placement.Ready(endpoint.get(), !files.launch().fingerprint().equals(wanted));
      }
      return locked(folder, () -> start(files, program, command, request));
    } catch (SourceFetcher.Refused e) {
      return refused(Outcome.INPUT_REFUSED, String.valueOf(e.getMessage()));
    } catch (SourceUnavailable e) {
      return refused(Outcome.SOURCE_UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return refused(
          Outcome.WORKSPACE_FAILED,
          "the workspace folder %s: %s".formatted(folder, e.getMessage()));
    }
  }

  private Path program(Path folder, WorkspaceRequest request)
      throws SourceFetcher.Refused, SourceUnavailable, IOException {
    LastProgram last = new LastProgram(folder);
    Source source = Source.of(request.spec());
    Path into = folder.resolve("source");
    return switch (request.purpose()) {
      case Purpose.Operation operation ->
          last.keep(fetcher.fetch(source, request.revision(), into));
      case Purpose.Deletion deletion -> {
        Optional<Path> known = last.known();
        yield known.isPresent() ? known.get() : fetched(source, into, last, deletion);
      }
    };
  }

  private Path fetched(Source source, Path into, LastProgram last, Purpose.Deletion deletion)
      throws SourceFetcher.Refused, SourceUnavailable, IOException {
    try {
      return fetcher.fetch(source, "", into);
    } catch (SourceFetcher.Refused | SourceUnavailable e) {
      if (deletion.project().equals(ProjectInfo.NONE)) {
        throw e;
      }
      return last.bare(deletion.project());
    }
  }

  /** Installing what is installed already takes a moment here; each time is soon enough. */
  @Override
  public void prepared(StackRef stack, String instance) {}

  /** An idle agent ends by itself, and a folder costs nothing. */
  @Override
  public void rest(StackRef stack, boolean keepObjects) {}

  @Override
  public Optional<Endpoint> locate(StackRef stack) {
    return files(folders.of(stack)).endpoint();
  }

  @Override
  public void stop(StackRef stack) {
    Path folder = folders.of(stack);
    if (Files.isDirectory(folder)) {
      unchecked(
          () ->
              locked(
                  folder,
                  () -> {
                    end(files(folder));
                    return new Placement.Starting("its end");
                  }));
    }
  }

  @Override
  public void delete(StackRef stack) {
    stop(stack);
    Path folder = folders.of(stack);
    unchecked(
        () -> {
          if (files(folder).launch().process().alive().isPresent()) {
            throw new IOException("the agent in " + folder + " is in another worker's hands");
          }
          folders.delete(folder);
          return folder;
        });
  }

  @Override
  public int sweep(Predicate<StackRef> gone) {
    int deleted = 0;
    for (StackRef stack : folders.all()) {
      try {
        if (gone.test(stack)) {
          delete(stack);
          deleted++;
        }
      } catch (RuntimeException e) {
        LOG.warn("the workspace of {} could not be swept; the next round tries again", stack, e);
      }
    }
    return deleted;
  }

  private Placement start(
      AgentFiles files, Path program, List<String> command, WorkspaceRequest request)
      throws IOException {
    if (files.endpoint().isPresent()) {
      return new Placement.Starting("its agent");
    }
    Launch launch = files.launch();
    if (launch.equals(Launch.NONE)) {
      AgentProcess.start(files, program, command, request.environment());
      return new Placement.Starting("its agent");
    }
    Optional<ProcessHandle> starting = launch.process().alive();
    boolean listened = launch.listened() || files.process().pid() != 0;
    if (starting.isPresent() && !listened && !late(starting.get())) {
      return new Placement.Starting("its agent");
    }
    Redactor redactor = new Redactor(request.environment().values());
    String tail = redactor.apply(files.logTail()).replaceAll("\\s*\\R\\s*", "; ");
    end(files);
    // One that had listened has ended since, as idle ones do; one that never did will not next
    // time.
    return listened
        ? new Placement.Starting("a new agent")
        : refused(
            Outcome.WORKSPACE_FAILED,
            "the agent %s: %s"
                .formatted(
                    starting.isPresent()
                        ? "did not listen within " + START_LIMIT.toMinutes() + " minutes"
                        : "could not start",
                    tail.isEmpty() ? "it left no log" : tail));
  }

  private boolean late(ProcessHandle process) {
    Instant start = process.info().startInstant().orElse(Instant.EPOCH);
    return clock.instant().isAfter(start.plus(START_LIMIT));
  }

  private static void end(AgentFiles files) throws IOException {
    Duration limit = running(files) ? AgentProcess.BUSY_END : AgentProcess.IDLE_END;
    files.process().alive().ifPresent(process -> AgentProcess.end(process, limit));
    files.launch().process().alive().ifPresent(process -> AgentProcess.end(process, limit));
    files.forget();
  }

  @Override
  public boolean running(StackRef stack) {
    return running(files(folders.of(stack)));
  }

  private static boolean running(AgentFiles files) {
    Optional<Endpoint> endpoint = files.endpoint();
    if (endpoint.isEmpty()) {
      return false;
    }
    try (AgentConnection agent = AgentConnection.open(endpoint.get())) {
      return agent.running(ANSWER_LIMIT);
    } catch (StatusException e) {
      LOG.warn("the agent at {} does not answer ({})", endpoint.get(), e.getStatus().getCode());
      return true;
    }
  }

  private static AgentFiles files(Path folder) {
    return new AgentFiles(folder.resolve(Folders.AGENT));
  }

  private static Placement refused(Outcome outcome, String message) {
    return new Placement.Refused(new WorkspaceOutput(outcome, message));
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  /** Only one worker, and one thread of it, changes a workspace at a time. */
  private static Placement locked(Path folder, Work<Placement> work) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null ? new Placement.Starting("another worker") : work.run();
    } catch (OverlappingFileLockException e) {
      return new Placement.Starting("another worker");
    }
  }

  private static void unchecked(Work<?> work) {
    try {
      work.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
