package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Value;
import dev.reprise.proto.agent.AddEnvironmentsRequest;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.ConfigValueFrom;
import dev.reprise.proto.agent.DestroyRequest;
import dev.reprise.proto.agent.InfoRequest;
import dev.reprise.proto.agent.InstallRequest;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.PreviewStream;
import dev.reprise.proto.agent.PulumiErrorInfo;
import dev.reprise.proto.agent.PulumiVersionRequest;
import dev.reprise.proto.agent.RefreshRequest;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.SetAllConfigRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpResult;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.agent.WhoAmIRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandProgramsTest {
  private static final UpRequest UP = UpRequest.getDefaultInstance();

  @TempDir Path folder;

  private static List<UpStream> up(Agent agent) {
    List<UpStream> messages = new ArrayList<>();
    agent.client().up(UP).forEachRemaining(messages::add);
    return messages;
  }

  private static UpResult result(List<UpStream> messages) {
    return messages.getLast().getResult();
  }

  private static StatusRuntimeException failure(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run);
  }

  private static String lines(List<UpStream> messages) {
    StringBuilder text = new StringBuilder();
    messages.stream()
        .filter(UpStream::hasEvent)
        .map(m -> m.getEvent().getFieldsOrThrow("stdoutEvent").getStructValue())
        .forEach(e -> text.append(e.getFieldsOrThrow("message").getStringValue()));
    return text.toString();
  }

  private static ConfigItem.Builder item(String key, String value) {
    return ConfigItem.newBuilder()
        .setKey(key)
        .setValue(Value.newBuilder().setStringValue(value).build());
  }

  @Test
  void anUpStreamsItsLinesAndEndsWithOutputs() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program(
          "up",
          """
          echo "hello from $REPRISE_STACK ($REPRISE_OPERATION)"
          echo careful >&2
          echo kept > "$REPRISE_STATE/file"
          printf '{"url": "http://x", "n": 3, "pw": {"secret": true, "value": "pss"}}' > "$REPRISE_OUTPUTS"
          """);
      agent.select("org/app/dev");

      List<UpStream> messages = up(agent);

      assertThat(lines(messages)).contains("hello from org/app/dev (up)\n", "careful\n");
      UpResult result = result(messages);
      assertThat(result.getStdout()).isEqualTo("hello from org/app/dev (up)\n");
      assertThat(result.getStderr()).isEqualTo("careful\n");
      assertThat(result.getSummary().getResult()).isEqualTo("succeeded");
      assertThat(result.getSummary().getEndTime().getSeconds()).isPositive();
      assertThat(result.getOutputsMap().keySet()).containsExactlyInAnyOrder("url", "n", "pw");
      assertThat(result.getOutputsOrThrow("url").getValue().toStringUtf8())
          .isEqualTo("\"http://x\"");
      assertThat(result.getOutputsOrThrow("n").getValue().toStringUtf8()).isEqualTo("3");
      OutputValue secret = result.getOutputsOrThrow("pw");
      assertThat(secret.getValue().toStringUtf8()).isEqualTo("\"pss\"");
      assertThat(secret.getSecret()).isTrue();
    }
  }

  @Test
  void outputsOfAnEarlierUpDoNotLinger() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo '{\"a\": 1}' > \"$REPRISE_OUTPUTS\"");
      agent.select("dev");
      assertThat(result(up(agent)).getOutputsMap()).containsKey("a");

      agent.program("up", "true");

      assertThat(result(up(agent)).getOutputsMap()).isEmpty();
    }
  }

  @Test
  void outputsJsonInTheWorkspaceIsTheFallback() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo '{\"b\": [true]}' > outputs.json");
      agent.select("dev");

      assertThat(result(up(agent)).getOutputsOrThrow("b").getValue().toStringUtf8())
          .isEqualTo("[true]");
    }
  }

  @Test
  void missingPreviewAndRefreshSucceedWithANote() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.select("dev");

      List<PreviewStream> preview = new ArrayList<>();
      agent.client().preview(PreviewRequest.getDefaultInstance()).forEachRemaining(preview::add);

      assertThat(preview).hasSize(2);
      assertThat(preview.getLast().getResult().getStdout()).contains("nothing to do");
      assertThat(preview.getLast().getResult().hasSummary()).isFalse();
      assertThat(agent.client().refresh(RefreshRequest.getDefaultInstance()))
          .toIterable()
          .anyMatch(m -> m.getResult().getSummary().getResult().equals("succeeded"));
    }
  }

  @Test
  void destroyWithRemoveForgetsTheStack() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("destroy", "true");
      agent.select("dev");

      agent
          .client()
          .destroy(DestroyRequest.newBuilder().setRemove(true).build())
          .forEachRemaining(m -> {});

      assertThat(
              failure(
                      () ->
                          agent
                              .client()
                              .selectStack(
                                  SelectStackRequest.newBuilder().setStackName("dev").build()))
                  .getStatus()
                  .getCode())
          .isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  void secretsAreMaskedInEverythingThatIsReturned() throws Exception {
    try (Agent agent =
        Agent.start(folder, c -> c.withEnvironment(Map.of("PATH", path(), "DB", "swordfish")))) {
      agent.program(
          "up",
          """
          cat "$REPRISE_CONFIG"
          echo
          echo "pw=hunter2 db=swordfish" >&2
          echo '{"leak": "x-hunter2", "plain": "ok"}' > "$REPRISE_OUTPUTS"
          """);
      agent.select("dev");
      agent
          .client()
          .setAllConfig(
              SetAllConfigRequest.newBuilder()
                  .addConfig(item("app:pw", "hunter2").setSecret(true))
                  .addConfig(item("app:size", "large"))
                  .addConfig(item("app:tree.list[0]", "deep").setPath(true))
                  .addConfig(
                      ConfigItem.newBuilder()
                          .setKey("app:db")
                          .setSecret(true)
                          .setValueFrom(ConfigValueFrom.newBuilder().setEnv("DB")))
                  .build());

      List<UpStream> messages = up(agent);

      assertThat(messages.toString()).contains("pw=[secret] db=[secret]");
      assertThat(lines(messages)).contains("large", "\"app:tree\":{\"list\":[\"deep\"]}");
      assertThat(result(messages).toBuilder().clearOutputs().build().toString() + lines(messages))
          .doesNotContain("hunter2", "swordfish");
      assertThat(Files.readString(agent.stateDir.resolve("output.log")))
          .contains("[secret]")
          .doesNotContain("hunter2");
      assertThat(result(messages).getOutputsOrThrow("leak").getSecret()).isTrue();
      assertThat(result(messages).getOutputsOrThrow("plain").getSecret()).isFalse();
      agent.program("up", "echo 'bad hunter2' >&2; exit 1");
      assertThat(failure(() -> up(agent)).getStatus().getDescription())
          .contains("bad [secret]")
          .doesNotContain("hunter2");
    }
  }

  @Test
  void variablesThatAreNamedAsSecretsAreMaskedInWhatProgramsPrint() throws Exception {
    Map<String, String> environment =
        Map.of(
            "PATH",
            path(),
            "DB",
            "swordfish",
            "TOKEN",
            "he said \"no\"",
            "WORD",
            "Conflict",
            "REGION",
            "eu",
            AgentConfig.SECRETS_VARIABLE,
            "DB,TOKEN,WORD,ABSENT");
    try (Agent agent = Agent.start(folder, c -> c.withEnvironment(environment))) {
      String print =
          """
          echo "db=$DB region=$REGION names=${REPRISE_AGENT_SECRETS-none}"
          echo '{"token": "he said \\"no\\""}' >&2
          """;
      agent.program("install", print + "exit 1");
      assertThat(
              failure(() -> agent.client().install(InstallRequest.getDefaultInstance()))
                  .getStatus()
                  .getDescription())
          .contains("db=[secret] region=eu names=none", "{\"token\": \"[secret]\"}");

      agent.select("dev");
      agent.program("up", print);
      assertThat(lines(up(agent)))
          .contains("db=[secret] region=eu names=none\n", "{\"token\": \"[secret]\"}\n");
      assertThat(Files.readString(agent.stateDir.resolve("output.log")))
          .contains("db=[secret]")
          .doesNotContain("swordfish");

      agent.program(
          "up", "echo 'Conflict: Another update is currently in progress, db=swordfish'; exit 1");
      StatusRuntimeException conflict = failure(() -> up(agent));
      assertThat(
              Objects.requireNonNull(StatusProto.fromThrowable(conflict))
                  .getDetails(0)
                  .unpack(PulumiErrorInfo.class))
          .extracting(PulumiErrorInfo::getCode, PulumiErrorInfo::getMessage)
          .containsExactly(409, "[secret]: Another update is currently in progress, db=[secret]");
    }
  }

  @Test
  void installRunsItsProgramAndAbortsWhenThatFails() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.client().install(InstallRequest.getDefaultInstance());
      agent.program("install", "touch installed");
      agent.client().install(InstallRequest.getDefaultInstance());
      assertThat(agent.workspace.resolve("installed")).exists();

      agent.program("install", "echo no network >&2; exit 7");
      Status status =
          failure(() -> agent.client().install(InstallRequest.getDefaultInstance())).getStatus();

      assertThat(status.getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(status.getDescription()).contains("install failed: exit code 7", "no network");
    }
  }

  @Test
  void itTellsWhoItIsAndWhatItDidLast() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "true");
      agent.select("dev");
      up(agent);

      assertThat(agent.client().whoAmI(WhoAmIRequest.getDefaultInstance()).getUser())
          .isEqualTo(System.getProperty("user.name"));
      assertThat(
              agent.client().pulumiVersion(PulumiVersionRequest.getDefaultInstance()).getVersion())
          .isEqualTo("v0.0.0-command");
      var summary = agent.client().info(InfoRequest.getDefaultInstance()).getSummary();
      assertThat(summary.getName()).isEqualTo("dev");
      assertThat(summary.getUpdateInProgress()).isFalse();
      assertThat(summary.getLastUpdate().getSeconds()).isPositive();
      agent.client().addEnvironments(AddEnvironmentsRequest.getDefaultInstance());
      assertThat(
              failure(
                      () ->
                          agent
                              .client()
                              .addEnvironments(
                                  AddEnvironmentsRequest.newBuilder().addEnvironment("e").build()))
                  .getStatus()
                  .getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }

  @Test
  void onlyCallersWithTheTokenGetInAndProgramsNeverSeeIt() throws Exception {
    Map<String, String> environment =
        Map.of("PATH", path(), AgentConfig.TOKEN_VARIABLE, "t0ken", "COPY", "t0ken");
    try (Agent agent =
        Agent.start(folder, c -> c.withToken("t0ken").withEnvironment(environment))) {
      agent.program("up", "env");
      Metadata headers = new Metadata();
      headers.put(
          Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer t0ken");
      var client =
          agent.client().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));

      assertThat(failure(() -> agent.select("dev")).getStatus().getCode())
          .isEqualTo(Status.Code.UNAUTHENTICATED);
      client.selectStack(
          SelectStackRequest.newBuilder().setStackName("dev").setCreate(true).build());
      List<UpStream> messages = new ArrayList<>();
      client.up(UP).forEachRemaining(messages::add);

      assertThat(lines(messages)).contains("REPRISE_OPERATION=up").doesNotContain("t0ken");
    }
  }

  private static String path() {
    return System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
  }
}
