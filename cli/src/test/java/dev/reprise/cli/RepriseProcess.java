package dev.reprise.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/** One {@code reprise} command as a process of its own. */
final class RepriseProcess {
  /** Two loaded cores start a JVM in seconds, not in tenths of them. */
  static final Duration LONG = Duration.ofMinutes(2);

  private final Process process;
  private final Path output;
  private final List<String> arguments;

  RepriseProcess(Process process, Path output, List<String> arguments) {
    this.process = process;
    this.output = output;
    this.arguments = arguments;
  }

  /** All it has written so far, errors included. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines that hold a text. */
  List<String> lines(String text) {
    return output().lines().filter(line -> line.contains(text)).toList();
  }

  /** Waits until a line holds all these texts. */
  void awaitLine(String... texts) {
    await(String.join(" ", arguments) + " to say " + List.of(texts))
        .atMost(LONG)
        .failFast(
            () -> Assertions.assertThat(says(texts) || process.isAlive()).as(output()).isTrue())
        .until(() -> says(texts));
  }

  private boolean says(String... texts) {
    return output().lines().anyMatch(line -> List.of(texts).stream().allMatch(line::contains));
  }

  /** Waits for its end and gives the exit code. */
  int awaitExit() throws InterruptedException {
    Assertions.assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
        .as("the end of %s, which says: %s", arguments, output())
        .isTrue();
    return process.exitValue();
  }

  /** Sends a signal, such as INT or STOP. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    Assertions.assertThat(kill.waitFor(10, TimeUnit.SECONDS) ? kill.exitValue() : -1).isZero();
  }

  boolean running() {
    return process.isAlive();
  }

  void kill() {
    process.destroyForcibly();
  }
}
