package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.reprise.agent.operation.Durable;
import dev.reprise.agent.operation.OperationContext;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.UpdateSummary;
import dev.reprise.proto.operation.Kind;
import dev.reprise.proto.operation.Result;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One operation by the Pulumi CLI. */
record PulumiRun(
    Path workspace,
    Path stateDir,
    InstantSource clock,
    PulumiCli cli,
    String stack,
    Masker secrets,
    OperationRequest request,
    OperationContext context) {
  private static final Logger log = LoggerFactory.getLogger(PulumiRun.class);
  private static final Pattern PERMALINK =
      Pattern.compile("^\\s*(?:View Live|View in Browser[^:]*|Permalink): (\\S+)");

  Result run() throws OperationException, InterruptedException {
    AtomicReference<String> permalink = new AtomicReference<>("");
    ProgramOutput output = output(permalink);
    int code = attempt(output);
    if (code != 0 && deadLocks().all(output.stderr())) {
      removeLocks();
      output = output(permalink);
      code = attempt(output);
    }
    if (code != 0) {
      throw output.failure(request.kind(), code);
    }
    return finished(output, permalink.get()).toResult(request.kind());
  }

  private ProgramOutput output(AtomicReference<String> permalink) {
    return new ProgramOutput(
        secrets,
        line -> {
          context.log(line);
          Matcher link = PERMALINK.matcher(line);
          if (link.find()) {
            permalink.set(String.valueOf(link.group(1)));
          }
        });
  }

  private int attempt(ProgramOutput output) throws OperationException, InterruptedException {
    Path events = stateDir.resolve("events.jsonl");
    try {
      Durable.replace(events, new byte[0]);
      PulumiEvents progress = new PulumiEvents(secrets, context);
      try (EventLogTail tail = new EventLogTail(events, progress::line)) {
        return context.run(cli.operation(PulumiArguments.of(request, stack, events)), output);
      } finally {
        Files.deleteIfExists(events);
      }
    } catch (IOException e) {
      throw OperationException.of(Status.Code.INTERNAL, "the state folder cannot be used: " + e);
    }
  }

  private static DeadLocks deadLocks() throws OperationException {
    try {
      return DeadLocks.here();
    } catch (IOException e) {
      throw OperationException.of(Status.Code.INTERNAL, "the host's name cannot be read: " + e);
    }
  }

  /** Only one operation at a time runs here, so between two attempts nobody here takes a lock. */
  private void removeLocks() throws OperationException, InterruptedException {
    log.warn(
        "stack {} is locked by a process of this host that is gone: the lock is removed", stack);
    PulumiCli.Ended ended =
        cli.run(List.of("cancel", "--yes", "--stack", stack, "--non-interactive"), "", secrets);
    if (ended.exitCode() != 0) {
      throw ended.output().failure(Status.Code.UNKNOWN, "pulumi cancel", ended.exitCode());
    }
  }

  private Finished finished(ProgramOutput output, String permalink)
      throws OperationException, InterruptedException {
    boolean removed =
        request instanceof OperationRequest.Destroy destroy && destroy.request().getRemove();
    boolean hasUpdate = request.kind() != Kind.KIND_PREVIEW && !removed;
    UpdateSummary ownWatch = Finished.succeeded(context.startTime(), clock.instant(), "");
    return new Finished(
        output.stdout(),
        output.stderr(),
        hasUpdate ? summary(ownWatch) : ownWatch,
        request.kind() == Kind.KIND_UP ? outputs() : Map.of(),
        permalink.isEmpty() ? Optional.empty() : Optional.of(permalink),
        Optional.of(PulumiProject.read(workspace)));
  }

  /** The newest entry of the history; what this agent saw itself if there is none. */
  private UpdateSummary summary(UpdateSummary ownWatch) throws InterruptedException {
    try {
      JsonNode entry =
          cli.json(List.of("stack", "history", "--stack", stack, "--json", "--page-size", "1"))
              .path(0);
      Optional<Instant> start = time(entry.path("startTime"));
      Optional<Instant> end = time(entry.path("endTime"));
      if (start.isPresent() && end.isPresent()) {
        return Finished.succeeded(start.get(), end.get(), entry.path("message").asText())
            .toBuilder()
            .setResult(entry.path("result").asText("succeeded"))
            .build();
      }
    } catch (OperationException e) {
      // The update itself succeeded; that its record cannot be read must not turn it into a
      // failure.
      log.warn("the update's record could not be read: {}", e.getMessage());
    }
    return ownWatch;
  }

  /** An output is secret if the CLI hides it unless told not to. */
  private Map<String, OutputValue> outputs() throws OperationException, InterruptedException {
    List<String> arguments = List.of("stack", "output", "--stack", stack, "--json");
    JsonNode hidden = cli.json(arguments);
    List<String> revealing = new ArrayList<>(arguments);
    revealing.add("--show-secrets");
    Map<String, OutputValue> outputs = new TreeMap<>();
    for (Map.Entry<String, JsonNode> output : cli.json(revealing).properties()) {
      outputs.put(
          output.getKey(),
          OutputValue.newBuilder()
              .setValue(ByteString.copyFromUtf8(output.getValue().toString()))
              .setSecret(!output.getValue().equals(hidden.path(output.getKey())))
              .build());
    }
    return outputs;
  }

  /** A time as the CLI prints it; empty for anything else. */
  static Optional<Instant> time(JsonNode text) {
    try {
      return text.isTextual() ? Optional.of(Instant.parse(text.asText())) : Optional.empty();
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
