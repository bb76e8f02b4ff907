package dev.reprise.e2e.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Short commands, run to their end. */
public final class Commands {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private Commands() {}

  /**
   * How a command ended.
   *
   * @param exitCode its exit code
   * @param output what it wrote, errors included
   */
  public record Ended(int exitCode, String output) {}

  /**
   * Runs a command.
   *
   * @return its output
   * @throws IllegalStateException with its output when its exit code is not 0 or two minutes pass
   */
  public static String run(List<String> command) {
    return run(Map.of(), command);
  }

  /** The same with variables added to the environment. */
  public static String run(Map<String, String> environment, List<String> command) {
    Ended ended = tried(environment, "", command);
    if (ended.exitCode() != 0) {
      throw new IllegalStateException(
          String.join(" ", command) + " ended with " + ended.exitCode() + ": " + ended.output());
    }
    return ended.output();
  }

  /**
   * Runs a command that may fail.
   *
   * @param environment variables added to the environment
   * @param input what it reads
   * @param command the program and its arguments
   */
  public static Ended tried(Map<String, String> environment, String input, List<String> command) {
    try {
      Path output = Files.createTempFile("reprise-e2e", ".out");
      Path read = Files.createTempFile("reprise-e2e", ".in");
      try {
        Files.writeString(read, input);
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(read.toFile())
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new IllegalStateException(
              String.join(" ", command) + " did not end: " + Files.readString(output));
        }
        return new Ended(
            process.exitValue(), new String(Files.readAllBytes(output), StandardCharsets.UTF_8));
      } finally {
        Files.delete(output);
        Files.delete(read);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }
}
