package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.InstallRequest;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.SetAllConfigRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.agent.WhoAmIRequest;
import dev.reprise.proto.operation.CancelRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Progress;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PulumiTest {
  @TempDir Path folder;
  private final FakePulumi pulumi;

  PulumiTest(@TempDir Path fakeFolder) throws IOException {
    this.pulumi = new FakePulumi(fakeFolder);
  }

  private Agent agent() throws IOException, InterruptedException {
    Agent agent = Agent.start(folder, c -> c.withEnvironment(pulumi.environment()));
    FakePulumi.project(agent.workspace);
    return agent;
  }

  private static Status failure(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus();
  }

  private static List<UpStream> up(Agent agent) {
    List<UpStream> messages = new ArrayList<>();
    agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(messages::add);
    return messages;
  }

  private static SetAllConfigRequest config(Value value, boolean secret) {
    return SetAllConfigRequest.newBuilder()
        .addConfig(ConfigItem.newBuilder().setKey("shop:x").setSecret(secret).setValue(value))
        .build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  @Test
  void anOperationLogsAsMuchAsTheAgentWasTold() throws Exception {
    try (Agent agent =
        Agent.start(folder, c -> c.withEnvironment(pulumi.environment()).withPulumiLogLevel(9))) {
      FakePulumi.project(agent.workspace);
      agent.select("dev");
      up(agent);
    }

    assertThat(pulumi.last("up")).containsSequence("--verbose", "9", "--logtostderr", "--logflow");
    assertThat(pulumi.last("stack")).doesNotContain("--verbose");
  }

  @Test
  void eventsArriveWhileItRunsAndAreCountedAndMasked() throws Exception {
    try (Agent agent = agent()) {
      agent.select("dev");
      agent.client().setAllConfig(config(text("swordfish"), true));
      pulumi.operation(
          """
          echo '{"resourcePreEvent": {"metadata": {"op": "create", "urn": "urn:a"}}}' >> "$log"
          while [ ! -e go ]; do sleep 0.05; done
          echo '{"resOutputsEvent": {"metadata": {"op": "create", "urn": "urn:a-swordfish"}}}' >> "$log"
          echo 'no newline: {"half": ' >> "$log"
          """);

      Iterator<UpStream> stream = agent.client("op-1").up(UpRequest.getDefaultInstance());
      assertThat(stream.next().getEvent().containsFields("resourcePreEvent")).isTrue();
      agent.program("go", "");
      List<UpStream> rest = new ArrayList<>();
      stream.forEachRemaining(rest::add);

      assertThat(rest).hasSize(2);
      assertThat(rest.getFirst().getEvent().toString())
          .contains("urn:a-[secret]")
          .doesNotContain("swordfish");
      assertThat(rest.getLast().getResult().getOutputsOrThrow("pw").getSecret()).isTrue();
      assertThat(rest.getLast().getResult().getOutputsOrThrow("url").getSecret()).isFalse();
      Progress progress =
          agent
              .operations()
              .describe(DescribeRequest.newBuilder().setId("op-1").build())
              .getProgress();
      assertThat(progress.getResourcesStarted()).isEqualTo(1);
      assertThat(progress.getResourcesDone()).isEqualTo(1);
      assertThat(progress.getLastLine()).isEqualTo("create urn:a-[secret] done");
      assertThat(agent.stateDir.resolve("events.jsonl")).doesNotExist();
    }
  }

  @Test
  void aFailureKeepsTheCliesText() throws Exception {
    try (Agent agent = agent()) {
      agent.select("dev");
      pulumi.operation("echo 'error: bucket exists' >&2; exit 255");

      Status status = failure(() -> up(agent));

      assertThat(status.getCode()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(status.getDescription()).contains("up failed: exit code 255", "bucket exists");
    }
  }

  @Test
  void cancelReachesTheCli() throws Exception {
    try (Agent agent = agent()) {
      agent.select("dev");
      pulumi.operation(
          """
          trap 'echo cancelled >&2; exit 1' INT
          echo '{"preludeEvent": {}}' >> "$log"
          while :; do sleep 0.05; done
          """);
      Iterator<UpStream> stream = agent.client("op-1").up(UpRequest.getDefaultInstance());
      stream.next();

      agent.operations().cancel(CancelRequest.newBuilder().setId("op-1").setReason("why").build());

      Status status = failure(() -> stream.forEachRemaining(m -> {}));
      assertThat(status.getCode()).isEqualTo(Status.Code.CANCELLED);
      assertThat(status.getDescription()).startsWith("up cancelled: why").contains("cancelled");
    }
  }

  @Test
  void aStackThatIsNotThereIsNotFound() throws Exception {
    try (Agent agent = agent()) {
      assertThat(
              failure(
                      () ->
                          agent
                              .client()
                              .selectStack(
                                  SelectStackRequest.newBuilder().setStackName("gone").build()))
                  .getCode())
          .isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  void aFailedInstallIsAborted() throws Exception {
    try (Agent agent = agent()) {
      agent.client().install(InstallRequest.getDefaultInstance());
      assertThat(pulumi.last("install")).contains("--non-interactive");
      pulumi.failInstalls();

      Status status = failure(() -> agent.client().install(InstallRequest.getDefaultInstance()));

      assertThat(status.getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(status.getDescription()).contains("boom");
    }
  }

  @Test
  void mapsInTheConfigNeedANewEnoughCli() throws Exception {
    try (Agent agent = agent()) {
      agent.select("dev");
      pulumi.version("v3.201.9");
      Value map = Value.newBuilder().setStructValue(Struct.getDefaultInstance()).build();

      Status status = failure(() -> agent.client().setAllConfig(config(map, false)));

      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription()).contains("shop:x", "3.202.0", "v3.201.9");
      pulumi.version("v3.202.0");
      agent.client().setAllConfig(config(map, false));
    }
  }

  @Test
  void withoutTheCliEveryCallSaysWhatToInstall() throws Exception {
    try (Agent agent = Agent.start(folder, c -> c.withEnvironment(Map.of("PATH", "/nowhere")))) {
      FakePulumi.project(agent.workspace);

      Status status = failure(() -> agent.client().whoAmI(WhoAmIRequest.getDefaultInstance()));

      assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(status.getDescription()).contains("pulumi", "install");
    }
  }

  @Test
  void whatACallOfAKilledAgentLeftIsRemoved() throws Exception {
    Path left = Files.createDirectories(folder.resolve("state/calls/x")).resolve("in");
    Files.writeString(left, "s3cret");

    try (Agent agent = agent()) {
      assertThat(agent.stateDir.resolve("calls")).doesNotExist();
    }
  }
}
