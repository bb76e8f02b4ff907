package dev.reprise.agent.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.reprise.agent.operation.Durable;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.process.ChildSpec;
import dev.reprise.agent.process.Launcher;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Runs {@code pulumi} in the workspace. */
final class PulumiCli {
  /** For questions and settings; the backend may be slow, but not that slow. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Where a call's input and output lie while it runs; may hold secrets. */
  static final String FOLDER = "calls";

  private static final long OUTPUT_LIMIT = 256L * 1024 * 1024;

  private final Path workspace;
  private final Path stateDir;
  private final Map<String, String> environment;
  private final int logLevel;
  private final Launcher launcher;

  PulumiCli(
      Path workspace,
      Path stateDir,
      Map<String, String> environment,
      int logLevel,
      Launcher launcher) {
    this.workspace = workspace;
    this.stateDir = stateDir;
    this.logLevel = logLevel;
    this.launcher = launcher;
    this.environment = new HashMap<>(environment);
    // Without it the CLI does not know the flag --event-log.
    this.environment.put("PULUMI_DEBUG_COMMANDS", "true");
    this.environment.put("PULUMI_SKIP_UPDATE_CHECK", "true");
  }

  /** What to start for these arguments. */
  ChildSpec spec(List<String> arguments) throws OperationException {
    if (!Launcher.onPath("pulumi", environment.getOrDefault("PATH", ""))) {
      throw OperationException.of(
          Status.Code.FAILED_PRECONDITION,
          "the workspace has a Pulumi.yaml, but there is no program \"pulumi\" on the agent's PATH:"
              + " install the Pulumi CLI (https://www.pulumi.com/docs/install/)");
    }
    List<String> command = new ArrayList<>(List.of("pulumi"));
    command.addAll(arguments);
    return ChildSpec.of(command, workspace, environment, false);
  }

  /** What to start for an operation, which logs as much as the agent was told. */
  ChildSpec operation(List<String> arguments) throws OperationException {
    List<String> words = new ArrayList<>(arguments);
    if (logLevel > 0) {
      words.addAll(List.of("--verbose", Integer.toString(logLevel), "--logtostderr", "--logflow"));
    }
    return spec(words);
  }

  /** How a short command ended. */
  record Ended(int exitCode, String stdout, ProgramOutput output) {}

  /**
   * Runs a short command to its end. Input and output go through files only the owner can read, so
   * that neither secrets show up in the list of processes nor a long line is cut.
   */
  Ended run(List<String> arguments, String input, Masker masker)
      throws OperationException, InterruptedException {
    return run(arguments, input, masker, LIMIT);
  }

  /** The same with a limit of its own, after which the command is killed. */
  Ended run(List<String> arguments, String input, Masker masker, Duration limit)
      throws OperationException, InterruptedException {
    ChildSpec spec = spec(arguments);
    Path folder = stateDir.resolve(FOLDER).resolve(UUID.randomUUID().toString());
    Path in = folder.resolve("in");
    Path out = folder.resolve("out");
    ProgramOutput output = new ProgramOutput(masker, line -> {});
    try {
      Durable.folder(folder);
      try {
        Durable.replace(out, new byte[0]);
        Durable.replace(in, input.getBytes(StandardCharsets.UTF_8));
        int code =
            launcher
                .start(spec.withFiles(in, out), Map.of("REPRISE_CALL", folder.toString()))
                .await(output, limit);
        if (Files.size(out) > OUTPUT_LIMIT) {
          throw OperationException.of(
              Status.Code.RESOURCE_EXHAUSTED,
              "pulumi " + arguments.getFirst() + " printed more than " + OUTPUT_LIMIT + " bytes");
        }
        String stdout = Files.readString(out);
        if (code != 0) {
          stdout.lines().limit(1000).forEach(l -> output.line(ProgramOutput.Source.STDOUT, l));
        }
        return new Ended(code, stdout, output);
      } finally {
        Files.deleteIfExists(in);
        Files.deleteIfExists(out);
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      throw OperationException.of(
          Status.Code.INTERNAL, "pulumi " + arguments.getFirst() + " could not be run: " + e);
    }
  }

  /** Runs a command that prints JSON. */
  JsonNode json(List<String> arguments) throws OperationException, InterruptedException {
    Ended ended = run(arguments, "", Masker.NONE);
    String what = "pulumi " + String.join(" ", arguments);
    if (ended.exitCode() != 0) {
      throw ended.output().failure(Status.Code.UNKNOWN, what, ended.exitCode());
    }
    try {
      return JsonValues.MAPPER.readTree(ended.stdout());
    } catch (JsonProcessingException e) {
      throw OperationException.of(Status.Code.INTERNAL, what + " did not print JSON");
    }
  }
}
