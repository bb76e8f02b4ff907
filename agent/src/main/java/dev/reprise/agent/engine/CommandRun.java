package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Struct;
import dev.reprise.agent.operation.Kinds;
import dev.reprise.agent.operation.OperationContext;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.process.ChildSpec;
import dev.reprise.proto.agent.OutputValue;
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

/** One operation by a Command program. */
record CommandRun(
    Path workspace,
    Map<String, String> environment,
    List<String> secrets,
    InstantSource clock,
    CommandStack stack,
    Kind kind,
    OperationContext context) {

  Result run() throws OperationException, InterruptedException {
    Path program = workspace.resolve(Kinds.word(kind));
    Masker masker = masker(stack, secrets);
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
      execute(program, output);
    }
    return finished(output).toResult(kind);
  }

  private void execute(Path program, ProgramOutput output)
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

  private Finished finished(ProgramOutput output) throws OperationException {
    try {
      Map<String, OutputValue> outputs =
          kind == Kind.KIND_UP ? stack.readOutputs(workspace, masker(stack, List.of())) : Map.of();
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

  static void requireExecutable(Path program, Status.Code code, String what)
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

  /** Masks the stack's secret configuration, and more. */
  static Masker masker(CommandStack stack, List<String> more) throws OperationException {
    try {
      List<String> all = new ArrayList<>(stack.secretValues());
      all.addAll(more);
      return new Masker(all);
    } catch (IOException e) {
      throw internal(e);
    }
  }

  static OperationException internal(IOException e) {
    return OperationException.of(
        Status.Code.INTERNAL, "the agent's state folder cannot be used: " + e);
  }
}
