package dev.reprise.activities.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.Activities;
import dev.reprise.activities.agent.AgentConnection;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.kube.Cluster;
import dev.reprise.activities.workspace.WorkspaceRequest.Purpose;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SpecReader;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.stack.status.ProjectInfo;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.OperationActivity.OperationInput;
import dev.reprise.workflows.activity.StackRef;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceInput;
import dev.reprise.workflows.activity.WorkspaceActivity.WorkspaceOutput;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.api.model.Secret;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@Timeout(120)
class LocalWorkspacesTest {
  private static final StackRef STACK = new StackRef("apps", "web", "0123456789-uid");

  @TempDir private Path temp = Path.of("");

  private LocalWorkspaces workspaces = local(AgentMain::command);

  @BeforeEach
  void below() {
    workspaces = local(AgentMain::command);
  }

  @AfterEach
  void endAgents() {
    workspaces = local(AgentMain::command);
    workspaces.sweep(stack -> true);
  }

  @Test
  void anAgentOutlivesTheWorkerThatStartedItAndIsFoundByAnother() throws Exception {
    Endpoint first = start(Map.of()).endpoint();
    LocalWorkspaces other = local(AgentMain::command);
    assertThat(other.locate(STACK)).contains(first);
    assertThat(other.place(request(program(), Map.of())))
        .isEqualTo(new Placement.Ready(first, false));
    try (AgentConnection agent = AgentConnection.open(first)) {
      assertThat(agent.describe("").getRunningId()).isEmpty();
    }
    assertThat(first.toString()).doesNotContain(first.credentials().token());
  }

  @Test
  void anAgentThatLivesWithoutAnswersMayRunSomething() throws Exception {
    assertThat(workspaces.running(STACK)).isFalse();
    start(Map.of());
    assertThat(workspaces.running(STACK)).isFalse();
    Path file = temp.resolve("state/apps/web-01234567/agent/agent.json");
    Files.writeString(file, Files.readString(file).replaceAll("\"port\":\\s*\\d+", "\"port\":1"));
    assertThat(workspaces.running(STACK)).isTrue();
  }

  @Test
  void whatAgentsKeepIsReadableByTheOwnerOnly() throws Exception {
    start(Map.of());
    Path state = temp.resolve("state/apps/web-01234567/agent");
    for (String name : List.of("token", "launch.json", "agent.json")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void anotherEnvironmentMakesAnAgentOutdated() throws Exception {
    Endpoint first = start(Map.of("A", "1")).endpoint();
    assertThat(workspaces.place(request(program(), Map.of("A", "2"))))
        .isEqualTo(new Placement.Ready(first, true));
    workspaces.stop(STACK);
    assertThat(workspaces.locate(STACK)).isEmpty();
    assertThat(start(Map.of("A", "2")).outdated()).isFalse();
  }

  @Test
  void aDeletionKeepsARunningAgentWhateverBecameOfItsInputs() throws Exception {
    Endpoint first = start(Map.of("A", "1")).endpoint();
    assertThat(workspaces.place(deletion(temp.resolve("nowhere"), ProjectInfo.NONE)))
        .isEqualTo(new Placement.Ready(first, false));
  }

  @Test
  void aDeletionFallsBackToTheLastProgramAndThenToTheProjectLastRun() throws Exception {
    start(Map.of());
    workspaces.stop(STACK);
    List<Path> programs = new CopyOnWriteArrayList<>();
    workspaces =
        local(
            (program, state) -> {
              programs.add(program);
              return AgentMain.command(program, state);
            });
    Path missing = temp.resolve("nowhere");
    assertThat(workspaces.place(deletion(missing, ProjectInfo.NONE)))
        .isInstanceOf(Placement.Starting.class);
    workspaces.delete(STACK);
    assertThat(workspaces.place(deletion(missing, new ProjectInfo("shop", "nodejs"))))
        .isInstanceOf(Placement.Starting.class);
    assertThat(programs.getFirst()).isEqualTo(program());
    assertThat(programs.getLast().resolve("Pulumi.yaml"))
        .hasContent("{\"name\":\"shop\",\"runtime\":\"nodejs\"}");
    workspaces.delete(STACK);
    assertThat(workspaces.place(deletion(missing, ProjectInfo.NONE)).toString())
        .contains("INPUT_REFUSED");
  }

  @Test
  void aSweepSkipsADamagedFolderAndGoesOnAfterAFailure() throws Exception {
    workspaces.place(request(program(), Map.of()));
    StackRef other = new StackRef("apps", "other", "abcdefgh-uid");
    WorkspaceRequest request = request(program(), Map.of());
    workspaces.place(
        new WorkspaceRequest(other, request.spec(), "r1", Map.of(), new Purpose.Operation()));
    Path damaged = Files.createDirectories(temp.resolve("state/apps/bad-1"));
    Files.writeString(damaged.resolve("stack.json"), "{\"namesp");
    List<StackRef> asked = new ArrayList<>();
    int swept =
        workspaces.sweep(
            stack -> {
              asked.add(stack);
              if (asked.size() == 1) {
                throw new IllegalStateException("the API server does not answer");
              }
              return true;
            });
    assertThat(asked).containsExactlyInAnyOrder(STACK, other);
    assertThat(swept).isEqualTo(1);
    assertThat(damaged).exists();
  }

  @Test
  void aDeadAgentIsStartedAgain() throws Exception {
    Endpoint first = start(Map.of()).endpoint();
    Path state = temp.resolve("state/apps/web-01234567/agent/agent.json");
    long pid = JsonMapper.shared().readTree(Files.readString(state)).path("pid").asLong();
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    await().until(() -> workspaces.locate(STACK).isEmpty());
    assertThat(start(Map.of()).endpoint()).isNotEqualTo(first);
  }

  @Test
  void anAgentThatEndedByItselfIsStartedAgainWithoutAFailure() throws Exception {
    Endpoint first = start(Map.of()).endpoint();
    Path state = temp.resolve("state/apps/web-01234567/agent/agent.json");
    long pid = JsonMapper.shared().readTree(Files.readString(state)).path("pid").asLong();
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    await().until(() -> !Files.exists(state) && workspaces.locate(STACK).isEmpty());
    await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());

    assertThat(workspaces.place(request(program(), Map.of())))
        .isEqualTo(new Placement.Starting("a new agent"));
    assertThat(start(Map.of()).endpoint()).isNotEqualTo(first);
  }

  @Test
  void anAgentThatCannotStartIsTriedAnewNextTimeAndShowsItsLog() throws Exception {
    WorkspaceRequest request = request(program(), Map.of());
    workspaces = local((program, state) -> List.of("/bin/sh", "-c", "echo no java here; exit 1"));
    await()
        .untilAsserted(
            () ->
                assertThat(workspaces.place(request))
                    .isEqualTo(
                        new Placement.Refused(
                            new WorkspaceOutput(
                                Outcome.WORKSPACE_FAILED,
                                "the agent could not start: no java here"))));
    assertThat(workspaces.place(request(program(), Map.of())))
        .isInstanceOf(Placement.Starting.class);
  }

  @Test
  void aMissingFolderOrAnotherSourceIsRefusedByTheFieldsName() throws Exception {
    Placement missing = workspaces.place(request(temp.resolve("nowhere"), Map.of()));
    assertThat(missing.toString())
        .contains("INPUT_REFUSED")
        .contains("spec.workspaceTemplate.spec.local.dir");
    StackSpec none = spec("{\"stack\":\"dev\"}");
    assertThat(
            workspaces
                .place(new WorkspaceRequest(STACK, none, "", Map.of(), new Purpose.Operation()))
                .toString())
        .contains("INPUT_REFUSED");
  }

  @Test
  void deletingEndsTheAgentAndRemovesTheFolder() throws Exception {
    start(Map.of());
    assertThat(workspaces.sweep(stack -> false)).isZero();
    assertThat(workspaces.locate(STACK)).isPresent();
    assertThat(workspaces.sweep(STACK::equals)).isEqualTo(1);
    assertThat(workspaces.locate(STACK)).isEmpty();
    assertThat(temp.resolve("state/apps/web-01234567")).doesNotExist();
    workspaces.delete(STACK);
  }

  @Test
  void anUpRunsFromWorkspaceToSecretInARealAgent() throws Exception {
    try (Cluster cluster = Cluster.start()) {
      StackRef stack =
          cluster.stack(
              "web",
              Map.of(
                  "stack",
                  "dev",
                  "workspaceTemplate",
                  Map.of("spec", Map.of("local", Map.of("dir", program().toString())))));
      Activities activities =
          Activities.of(
              new Activities.Dependencies(
                  cluster.client,
                  "c1",
                  Policy.DEFAULTS,
                  List.of(),
                  "k1",
                  new SecretKeySpec("key".getBytes(StandardCharsets.UTF_8), "HmacSHA256"),
                  true,
                  workspaces,
                  InstantSource.system()));
      TestActivityEnvironment env = TestActivityEnvironment.newInstance();
      try {
        env.registerActivitiesImplementations(
            Stream.concat(activities.workspaces().stream(), activities.operations().stream())
                .toArray());
        ActivityOptions options =
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofMinutes(1))
                .setHeartbeatTimeout(Duration.ofSeconds(30))
                .build();
        assertThat(
                env.newActivityStub(WorkspaceActivity.class, options)
                    .ensureWorkspace(new WorkspaceInput(stack, 1, OperationKind.UP, "r1")))
            .isEqualTo(WorkspaceOutput.READY);
        assertThat(
                env.newActivityStub(OperationActivity.class, options)
                    .runOperation(
                        new OperationInput(
                            stack,
                            1,
                            OperationKind.UP,
                            false,
                            stack.uid() + "/1/up/web-1a",
                            "web-1a",
                            false,
                            Duration.ofMinutes(1),
                            Duration.ofMinutes(1)))
                    .outcome())
            .isEqualTo(Outcome.SUCCEEDED);
      } finally {
        env.close();
      }
      Secret secret =
          cluster.client.secrets().inNamespace("apps").withName("web-1a-stack-outputs").get();
      assertThat(secret.getData()).containsKey("url");
    }
  }

  private Placement.Ready start(Map<String, String> environment) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                workspaces.place(request(program(), environment)) instanceof Placement.Ready ready
                    ? ready
                    : new Placement.Ready(new Endpoint("", 0, ""), true),
            ready -> ready.endpoint().port() != 0);
  }

  private WorkspaceRequest request(Path program, Map<String, String> environment) throws Exception {
    return new WorkspaceRequest(
        STACK,
        spec(
            "{\"stack\":\"dev\",\"workspaceTemplate\":{\"spec\":{\"local\":{\"dir\":\"%s\"}}}}"
                .formatted(program)),
        "r1",
        environment,
        new Purpose.Operation());
  }

  private WorkspaceRequest deletion(Path program, ProjectInfo project) throws Exception {
    WorkspaceRequest request = request(program, Map.of());
    return new WorkspaceRequest(STACK, request.spec(), "", Map.of(), new Purpose.Deletion(project));
  }

  private static StackSpec spec(String json) throws Exception {
    return SpecReader.read(JsonMapper.shared().readTree(json), "apps");
  }

  private Path program() throws Exception {
    Path folder = Files.createDirectories(temp.resolve("program"));
    Path up = folder.resolve("up");
    if (!Files.exists(up)) {
      Files.writeString(
          up, "#!/bin/sh\necho working\necho '{\"url\":\"http://x\"}' > \"$REPRISE_OUTPUTS\"\n");
      Files.setPosixFilePermissions(up, PosixFilePermissions.fromString("rwx------"));
    }
    return folder;
  }

  private LocalWorkspaces local(AgentLauncher launcher) {
    return new LocalWorkspaces(
        temp.resolve("state"), launcher, SourceFetcher.LOCAL, InstantSource.system());
  }
}
