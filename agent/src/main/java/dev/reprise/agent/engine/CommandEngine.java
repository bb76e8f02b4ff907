package dev.reprise.agent.engine;

import dev.reprise.agent.operation.OperationBody;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.process.ChildSpec;
import dev.reprise.agent.process.Launcher;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.StackSummary;
import dev.reprise.proto.agent.WhoAmIResult;
import dev.reprise.proto.operation.Kind;
import dev.reprise.proto.operation.Result;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
  private final List<String> secrets;
  private final Launcher launcher;
  private final InstantSource clock;
  private Optional<CommandStack> selected = Optional.empty();

  /**
   * @param workspace the folder with the executables
   * @param stateDir where configuration, outputs and the stacks' own folders are kept
   * @param environment what the programs inherit
   * @param secrets values of variables that are masked in what programs print
   */
  public CommandEngine(
      Path workspace,
      Path stateDir,
      Map<String, String> environment,
      List<String> secrets,
      Launcher launcher,
      InstantSource clock) {
    this.workspace = workspace.toAbsolutePath();
    this.stateDir = stateDir.toAbsolutePath();
    this.environment = Map.copyOf(environment);
    this.secrets = List.copyOf(secrets);
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
      throw CommandRun.internal(e);
    }
  }

  @Override
  public StackSummary info() throws OperationException {
    try {
      return summary(stack());
    } catch (IOException e) {
      throw CommandRun.internal(e);
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
      throw CommandRun.internal(e);
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
    CommandRun.requireExecutable(program, Status.Code.ABORTED, "install");
    ProgramOutput output = new ProgramOutput(installMasker(), line -> {});
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

  private Masker installMasker() throws OperationException {
    Optional<CommandStack> stack = selected();
    return stack.isPresent() ? CommandRun.masker(stack.get(), secrets) : new Masker(secrets);
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
      Result result =
          new CommandRun(workspace, environment, secrets, clock, stack, kind, context).run();
      if (remove) {
        remove(stack);
      }
      return result;
    };
  }

  private static void remove(CommandStack stack) throws OperationException {
    try {
      stack.delete();
    } catch (IOException e) {
      throw CommandRun.internal(e);
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
}
