package dev.reprise.activities.workspace;

import dev.reprise.activities.workspace.AgentFiles.Launch;
import dev.reprise.activities.workspace.AgentFiles.ProcessRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts and ends agent processes that outlive the worker. */
final class AgentProcess {
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  /** An idle agent ends at once. */
  static final Duration IDLE_END = Duration.ofSeconds(15);

  /** Longer than a cancelled operation is left to finish what it began. */
  static final Duration BUSY_END = AgentLauncher.CANCEL_GRACE.plusSeconds(15);

  /** The worker's own affairs, credentials among them, are none of a program's. */
  private static final List<String> NOT_INHERITED = List.of("TEMPORAL_", "REPRISE_", "KUBECONFIG");

  private static final SecureRandom RANDOM = new SecureRandom();

  private AgentProcess() {}

  /** Starts an agent; it listens some moments later. */
  static void start(
      AgentFiles files, Path workspace, List<String> command, Map<String, String> environment)
      throws IOException {
    byte[] random = new byte[32];
    RANDOM.nextBytes(random);
    String token = HexFormat.of().formatHex(random);
    files.forget();
    files.token(token);
    List<String> line = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // A session of its own: a Ctrl-C in the worker's terminal is not meant for it.
      line.add(SETSID.toString());
    }
    line.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(workspace.toFile())
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(files.log().toFile());
    Map<String, String> variables = builder.environment();
    variables.keySet().removeIf(name -> NOT_INHERITED.stream().anyMatch(name::startsWith));
    variables.putAll(environment);
    variables.put(AgentLauncher.TOKEN_VARIABLE, token);
    Process process = builder.start();
    files.launched(
        new Launch(ProcessRef.of(process.toHandle()), fingerprint(command, environment), false));
  }

  /** Changes with anything an agent takes over only when it starts. */
  static String fingerprint(List<String> command, Map<String, String> environment) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      command.forEach(word -> digest.update((word + "\0").getBytes(StandardCharsets.UTF_8)));
      new TreeMap<>(environment)
          .forEach(
              (name, value) ->
                  digest.update((name + "=" + value + "\0").getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Asks it to end, and kills it with all it started when it does not.
   *
   * @param limit how long it may take
   */
  static void end(ProcessHandle process, Duration limit) {
    process.destroy();
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      kill(process);
    } catch (InterruptedException e) {
      kill(process);
      Thread.currentThread().interrupt();
    }
  }

  private static void kill(ProcessHandle process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
