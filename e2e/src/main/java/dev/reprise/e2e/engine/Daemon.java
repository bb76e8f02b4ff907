package dev.reprise.e2e.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that goes on until it is ended, with its output in a file. It can be killed, frozen and
 * started again with the same command. Not thread-safe but for the questions.
 */
public final class Daemon implements AutoCloseable {
  /** An API server with open watches takes up to a minute. */
  private static final Duration GRACE = Duration.ofSeconds(90);

  private final Recipe recipe;
  private volatile Process process;

  /**
   * How it is started.
   *
   * @param name for messages and the name of its log
   * @param folder its working folder, where its log is
   * @param environment added to {@code PATH} and {@code HOME}, which are all it inherits
   * @param command the program and its arguments
   */
  public record Recipe(
      String name, Path folder, Map<String, String> environment, List<String> command) {

    /** Its log. */
    public Path log() {
      return folder.resolve(name + ".log");
    }
  }

  private Daemon(Recipe recipe) {
    this.recipe = recipe;
    this.process = start(recipe);
  }

  /** Starts one. */
  public static Daemon of(Recipe recipe) {
    return new Daemon(recipe);
  }

  private static Process start(Recipe recipe) {
    ProcessBuilder builder =
        new ProcessBuilder(recipe.command())
            .directory(recipe.folder().toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(recipe.log().toFile()));
    builder.environment().keySet().retainAll(List.of("PATH", "HOME"));
    builder.environment().putAll(recipe.environment());
    builder.environment().putAll(Orphans.mark());
    try {
      Files.createDirectories(recipe.folder());
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(recipe.name() + " could not be started", e);
    }
  }

  /** What it said so far, over all starts. */
  public String log() {
    try {
      return Files.exists(recipe.log()) ? Files.readString(recipe.log()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it runs. */
  public boolean alive() {
    return process.isAlive();
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Ends it without warning, as {@code kill -9} does, and waits for its end. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(GRACE);
  }

  /** Asks it to end, waits, and ends it by force after 90 seconds. */
  public void stop() {
    process.destroy();
    try {
      awaitEnd(GRACE);
    } catch (IllegalStateException e) {
      kill();
    }
  }

  /** Stops it from doing anything, without its knowing. */
  public void freeze() {
    Signals.send(pid(), "STOP");
  }

  /** Lets a frozen one go on. */
  public void thaw() {
    Signals.send(pid(), "CONT");
  }

  /** Starts it again after its end. */
  public void restart() {
    if (alive()) {
      throw new IllegalStateException(recipe.name() + " still runs");
    }
    process = start(recipe);
  }

  private void awaitEnd(Duration limit) {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(recipe.name() + " did not end within " + limit, e);
    }
  }

  @Override
  public void close() {
    if (alive()) {
      thaw();
      stop();
    }
  }
}
