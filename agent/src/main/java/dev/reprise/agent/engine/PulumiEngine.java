package dev.reprise.agent.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.reprise.agent.operation.OperationBody;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.process.Launcher;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.StackSummary;
import dev.reprise.proto.agent.WhoAmIResult;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the Pulumi CLI as a child process and follows its event log. The CLI rather than the
 * Automation API for Java, because that keeps all output in memory and hides the process, which
 * then can neither be journalled nor interrupted.
 */
public final class PulumiEngine implements Engine {
  private final Path workspace;
  private final Path stateDir;
  private final Map<String, String> environment;
  private final List<String> secrets;
  private final InstantSource clock;
  private final PulumiCli cli;
  private String selected = "";
  private Masker masker;

  /**
   * @param workspace the folder with the {@code Pulumi.yaml}
   * @param stateDir where event logs and short-lived files are kept
   * @param environment what the CLI inherits; its {@code PATH} is where the CLI is looked for
   * @param secrets values of variables that are masked in what programs print
   * @param logLevel how much the CLI logs of an operation, from 1 to 11; 0 for nothing
   */
  public PulumiEngine(
      Path workspace,
      Path stateDir,
      Map<String, String> environment,
      List<String> secrets,
      int logLevel,
      Launcher launcher,
      InstantSource clock) {
    this.workspace = workspace.toAbsolutePath();
    this.stateDir = stateDir.toAbsolutePath();
    this.environment = Map.copyOf(environment);
    this.secrets = List.copyOf(secrets);
    this.masker = new Masker(secrets);
    this.clock = clock;
    this.cli = new PulumiCli(this.workspace, this.stateDir, environment, logLevel, launcher);
  }

  @Override
  public WhoAmIResult whoAmI() throws OperationException, InterruptedException {
    JsonNode who = cli.json(List.of("whoami", "--json", "--non-interactive"));
    WhoAmIResult.Builder result =
        WhoAmIResult.newBuilder()
            .setUser(who.path("user").asText())
            .setUrl(who.path("url").asText());
    who.path("organizations").forEach(name -> result.addOrganizations(name.asText()));
    return result.build();
  }

  @Override
  public StackSummary selectStack(SelectStackRequest request)
      throws OperationException, InterruptedException {
    if (request.getStackName().isBlank()) {
      throw OperationException.of(Status.Code.INVALID_ARGUMENT, "the stack's name is empty");
    }
    List<String> arguments =
        new ArrayList<>(
            List.of("stack", "select", "--stack", request.getStackName(), "--non-interactive"));
    if (request.getCreate()) {
      arguments.add("--create");
    }
    if (!request.getSecretsProvider().isEmpty()) {
      arguments.addAll(List.of("--secrets-provider", request.getSecretsProvider()));
    }
    PulumiCli.Ended ended = cli.run(arguments, "", Masker.NONE);
    if (ended.exitCode() != 0) {
      boolean missing = ended.output().stderr().contains("no stack named");
      throw ended
          .output()
          .failure(
              missing ? Status.Code.NOT_FOUND : Status.Code.UNKNOWN,
              "selecting the stack",
              ended.exitCode());
    }
    synchronized (this) {
      selected = request.getStackName();
    }
    // Only the name: every operation selects first, and asking the backend takes a second.
    return StackSummary.newBuilder().setName(request.getStackName()).build();
  }

  @Override
  public StackSummary info() throws OperationException, InterruptedException {
    String stack = stack();
    StackSummary.Builder summary = StackSummary.newBuilder().setName(stack);
    for (JsonNode entry : cli.json(List.of("stack", "ls", "--json", "--non-interactive"))) {
      if (entry.path("current").asBoolean()) {
        PulumiRun.time(entry.path("lastUpdate"))
            .map(Finished::timestamp)
            .ifPresent(summary::setLastUpdate);
        summary.setUpdateInProgress(entry.path("updateInProgress").asBoolean());
        if (entry.path("resourceCount").isNumber()) {
          summary.setResourceCount(entry.path("resourceCount").intValue());
        }
        if (entry.has("url")) {
          summary.setUrl(entry.path("url").asText());
        }
      }
    }
    return summary.build();
  }

  @Override
  public void setAllConfig(List<ConfigItem> items) throws OperationException, InterruptedException {
    List<ConfigEntry> entries = new ArrayList<>();
    List<String> masked = new ArrayList<>(secrets);
    for (ConfigItem item : items) {
      ConfigEntry entry = ConfigEntry.resolve(item, workspace, environment);
      entries.add(entry);
      if (entry.secret()) {
        masked.addAll(Masker.leaves(entry.value()));
      }
    }
    Masker newMasker = new Masker(masked);
    new PulumiConfig(cli, stack(), newMasker).set(entries);
    synchronized (this) {
      masker = newMasker;
    }
  }

  @Override
  public void addEnvironments(List<String> names) throws OperationException, InterruptedException {
    if (names.isEmpty()) {
      return;
    }
    List<String> arguments = new ArrayList<>(List.of("config", "env", "add"));
    arguments.addAll(names);
    arguments.addAll(List.of("--stack", stack(), "--yes", "--non-interactive"));
    PulumiCli.Ended ended = cli.run(arguments, "", masker());
    if (ended.exitCode() != 0) {
      throw ended
          .output()
          .failure(Status.Code.INVALID_ARGUMENT, "adding environments", ended.exitCode());
    }
  }

  @Override
  public void install() throws OperationException, InterruptedException {
    PulumiCli.Ended ended =
        cli.run(List.of("install", "--non-interactive"), "", masker(), INSTALL_LIMIT);
    if (ended.exitCode() != 0) {
      throw ended.output().failure(Status.Code.ABORTED, "install", ended.exitCode());
    }
  }

  @Override
  public String version() throws OperationException, InterruptedException {
    PulumiCli.Ended ended = cli.run(List.of("version"), "", Masker.NONE);
    if (ended.exitCode() != 0) {
      throw ended.output().failure(Status.Code.UNKNOWN, "pulumi version", ended.exitCode());
    }
    String version = ended.stdout().strip();
    return version.startsWith("v") ? version : "v" + version;
  }

  @Override
  public OperationBody operation(OperationRequest request) throws OperationException {
    String stack = stack();
    PulumiProject.read(workspace);
    cli.spec(List.of());
    Masker current = masker();
    return context ->
        new PulumiRun(workspace, stateDir, clock, cli, stack, current, request, context).run();
  }

  private synchronized String stack() throws OperationException {
    if (selected.isEmpty()) {
      throw OperationException.of(
          Status.Code.FAILED_PRECONDITION, "no stack is selected: call SelectStack");
    }
    return selected;
  }

  private synchronized Masker masker() {
    return masker;
  }
}
