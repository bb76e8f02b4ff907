package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Struct;
import dev.reprise.agent.operation.Kinds;
import dev.reprise.agent.operation.OperationBody;
import dev.reprise.agent.operation.OperationContext;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.process.ChildSpec;
import dev.reprise.agent.process.Launcher;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.StackSummary;
import dev.reprise.proto.agent.WhoAmIResult;
import dev.reprise.proto.operation.Kind;
import dev.reprise.proto.operation.Result;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the executables {@code up}, {@code preview}, {@code refresh}, {@code destroy} and {@code
 * install} of the workspace. Exit code 0 is success; what they print becomes events; the file named
 * by {@code REPRISE_OUTPUTS} becomes the outputs. The contract for those who write such programs is
 * docs/command-programs.md.
 */
public final class CommandEngine implements Engine {
  private final Path workspace;
  private final Path stateDir;
  private final Map<String, String> environment;
  private final Launcher launcher;
  private final InstantSource clock;
  private Optional<CommandStack> selected = Optional.empty();

  /**
   * @param workspace the folder with the executables
   * @param stateDir where configuration, outputs and the stacks' own folders are kept
   * @param environment what the programs inherit
   */
  public CommandEngine(
      Path workspace,
      Path stateDir,
      Map<String, String> environment,
      Launcher launcher,
      InstantSource clock) {
    this.workspace = workspace.toAbsolutePath();
    this.stateDir = stateDir.toAbsolutePath();
    this.environment = Map.copyOf(environment);
    this.launcher = launcher;
    this.clock = clock;
  }

  @Override
  public WhoAmIResult whoAmI() {
    return WhoAmIResult.newBuilder().setUser(System.getProperty("user.name", "")).build();
  }

  @Override
  public synchronized StackSummary selectStack(SelectStackRequest request)
      throws OperationException {
    if (request.getStackName().isBlank()) {
      throw OperationException.of(Status.Code.INVALID_ARGUMENT, "the stack's name is empty");
    }
    CommandStack stack = CommandStack.of(stateDir, request.getStackName());
    try {
      if (!stack.exists()) {
        if (!request.getCreate()) {
          throw OperationException.of(
              Status.Code.NOT_FOUND, "no stack named \"" + stack.name() + "\"");
        }
        stack.create();
      }
      selected = Optional.of(stack);
      return summary(stack);
    } catch (IOException e) {
      throw internal(e);
    }
  }

  @Override
  public StackSummary info() throws OperationException {
    try {
      return summary(stack());
    } catch (IOException e) {
      throw internal(e);
    }
  }

  private static StackSummary summary(CommandStack stack) throws IOException {
    StackSummary.Builder summary = StackSummary.newBuilder().setName(stack.name());
    stack.readLastUpdate().map(Finished::timestamp).ifPresent(summary::setLastUpdate);
    return summary.build();
  }

  @Override
  public synchronized void setAllConfig(List<ConfigItem> items) throws OperationException {
    CommandStack stack = stack();
    List<ConfigEntry> entries = new ArrayList<>();
    for (ConfigItem item : items) {
      entries.add(ConfigEntry.resolve(item, workspace, environment));
    }
    try {
      stack.saveConfig(entries);
    } catch (IOException e) {
      throw internal(e);
    }
  }

  @Override
  public void addEnvironments(List<String> names) throws OperationException {
    if (!names.isEmpty()) {
      throw OperationException.of(
          Status.Code.INVALID_ARGUMENT,
          "environments need a Pulumi program; the workspace has no Pulumi.yaml");
    }
  }

  @Override
  public void install() throws OperationException, InterruptedException {
    Path program = workspace.resolve("install");
    if (!Files.exists(program)) {
      return;
    }
    requireExecutable(program, Status.Code.ABORTED, "install");
    ProgramOutput output = new ProgramOutput(masker(selected()), line -> {});
    try {
      int code =
          launcher
              .start(
                  ChildSpec.of(List.of(program.toString()), workspace, environment, true),
                  Map.of("REPRISE_OPERATION", "install"))
              .await(output, INSTALL_LIMIT);
      if (code != 0) {
        throw output.failure(Status.Code.ABORTED, "install", code);
      }
    } catch (IOException e) {
      throw OperationException.of(Status.Code.ABORTED, "install failed: " + e.getMessage());
    }
  }

  @Override
  public String version() {
    return "v0.0.0-command";
  }

  @Override
  public OperationBody operation(OperationRequest request) throws OperationException {
    if (!Files.isDirectory(workspace)) {
      throw OperationException.of(
          Status.Code.FAILED_PRECONDITION, "the workspace folder " + workspace + " is missing");
    }
    CommandStack stack = stack();
    Kind kind = request.kind();
    boolean remove =
        request instanceof OperationRequest.Destroy destroy && destroy.request().getRemove();
    return context -> {
      Result result = run(kind, stack, context);
      if (remove) {
        remove(stack);
      }
      return result;
    };
  }

  private Result run(Kind kind, CommandStack stack, OperationContext context)
      throws OperationException, InterruptedException {
    Path program = workspace.resolve(Kinds.word(kind));
    Masker masker = masker(Optional.of(stack));
    AtomicLong sequence = new AtomicLong();
    ProgramOutput output =
        new ProgramOutput(
            masker,
            line -> {
              context.log(line);
              context.event(stdoutEvent(sequence.getAndIncrement(), line), line);
            });
    if (!Files.exists(program) && (kind == Kind.KIND_PREVIEW || kind == Kind.KIND_REFRESH)) {
      output.line(
          ProgramOutput.Source.STDOUT,
          "the workspace has no executable \"" + Kinds.word(kind) + "\": nothing to do");
    } else {
      requireExecutable(program, Status.Code.UNKNOWN, Kinds.word(kind));
      execute(kind, stack, context, program, output);
    }
    return finished(kind, stack, context, masker, output).toResult(kind);
  }

  private void execute(
      Kind kind, CommandStack stack, OperationContext context, Path program, ProgramOutput output)
      throws OperationException, InterruptedException {
    try {
      stack.create();
      if (kind == Kind.KIND_UP) {
        Files.deleteIfExists(stack.outputs());
      }
    } catch (IOException e) {
      throw internal(e);
    }
    Map<String, String> all = new HashMap<>(environment);
    all.put("REPRISE_STACK", stack.name());
    all.put("REPRISE_OPERATION", Kinds.word(kind));
    all.put("REPRISE_STATE", stack.state().toString());
    all.put("REPRISE_OUTPUTS", stack.outputs().toString());
    all.put("REPRISE_CONFIG", stack.config().toString());
    int code = context.run(ChildSpec.of(List.of(program.toString()), workspace, all, true), output);
    if (code != 0) {
      throw output.failure(kind, code);
    }
  }

  private Finished finished(
      Kind kind, CommandStack stack, OperationContext context, Masker masker, ProgramOutput output)
      throws OperationException {
    try {
      Map<String, OutputValue> outputs =
          kind == Kind.KIND_UP ? stack.readOutputs(workspace, masker) : Map.of();
      Instant end = clock.instant();
      if (kind != Kind.KIND_PREVIEW) {
        stack.saveLastUpdate(end);
      }
      return new Finished(
          output.stdout(),
          output.stderr(),
          Finished.succeeded(context.startTime(), end, ""),
          outputs,
          Optional.empty(),
          Optional.empty());
    } catch (IOException e) {
      throw internal(e);
    }
  }

  /** The shape in which Pulumi's engine reports a line of a program's output. */
  private Struct stdoutEvent(long sequence, String line) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("sequence", sequence).put("timestamp", clock.instant().getEpochSecond());
    event.putObject("stdoutEvent").put("message", line + "\n").put("color", "never");
    return JsonValues.toStruct(event);
  }

  private static void remove(CommandStack stack) throws OperationException {
    try {
      stack.delete();
    } catch (IOException e) {
      throw internal(e);
    }
  }

  private static void requireExecutable(Path program, Status.Code code, String what)
      throws OperationException {
    if (!Files.exists(program)) {
      throw OperationException.of(
          code,
          what
              + " failed: the workspace has neither a Pulumi.yaml nor an executable \""
              + what
              + "\"; write "
              + program
              + " and run chmod +x on it");
    }
    if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
      throw OperationException.of(
          code, what + " failed: it is not an executable file; run: chmod +x " + program);
    }
  }

  private synchronized Optional<CommandStack> selected() {
    return selected;
  }

  private CommandStack stack() throws OperationException {
    return selected()
        .orElseThrow(
            () ->
                OperationException.of(
                    Status.Code.FAILED_PRECONDITION, "no stack is selected: call SelectStack"));
  }

  private static Masker masker(Optional<CommandStack> stack) throws OperationException {
    try {
      return stack.isPresent() ? new Masker(stack.get().secretValues()) : Masker.NONE;
    } catch (IOException e) {
      throw internal(e);
    }
  }

  private static OperationException internal(IOException e) {
    return OperationException.of(
        Status.Code.INTERNAL, "the agent's state folder cannot be used: " + e);
  }
}
