package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.proto.agent.ConfigItem;
import dev.reprise.proto.agent.ConfigValueFrom;
import dev.reprise.proto.agent.PulumiErrorInfo;
import dev.reprise.proto.agent.SetAllConfigRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommandFailuresTest {
  private static final UpRequest UP = UpRequest.getDefaultInstance();

  @TempDir Path folder;

  private static List<UpStream> up(Agent agent) {
    List<UpStream> messages = new ArrayList<>();
    agent.client().up(UP).forEachRemaining(messages::add);
    return messages;
  }

  private static StatusRuntimeException failure(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run);
  }

  @Test
  void outputsThatAreNoJsonObjectFailTheUpWithoutQuotingThem() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo 'hunter2' > \"$REPRISE_OUTPUTS\"");
      agent.select("dev");

      StatusRuntimeException e = failure(() -> up(agent));

      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(e.getStatus().getDescription())
          .contains("not a JSON object")
          .doesNotContain("hunter2");
    }
  }

  @Test
  void aFailedUpIsUnknownWithExitCodeAndOutput() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo step 1; echo 'no such bucket' >&2; exit 3");
      agent.select("dev");

      StatusRuntimeException e = failure(() -> up(agent));

      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(e.getStatus().getDescription())
          .startsWith("up failed: exit code 3")
          .contains("step 1", "no such bucket");
    }
  }

  @Test
  void aLongFailureKeepsItsFirstAndLastLinesWithin8KiB() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo first; seq 1 20000; echo 'last ä' >&2; exit 1");
      agent.select("dev");

      String text = String.valueOf(failure(() -> up(agent)).getStatus().getDescription());

      assertThat(text).contains("first", "last ä");
      assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(8 * 1024);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'error: [409] Conflict: Another update is currently in progress.', 409, UpdateConflict",
    "'error: the stack is currently locked by 1 lock(s).', 409, UpdateConflict",
    "'error: invalid access token', 401, InvalidAccessToken",
  })
  void knownErrorsCarryADetail(String line, int code, String reason) throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo '" + line + "' >&2; exit 255");
      agent.select("dev");

      StatusRuntimeException e = failure(() -> up(agent));

      PulumiErrorInfo info =
          Objects.requireNonNull(StatusProto.fromThrowable(e))
              .getDetails(0)
              .unpack(PulumiErrorInfo.class);
      assertThat(info.getCode()).isEqualTo(code);
      assertThat(info.getReason()).isEqualTo(reason);
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
    }
  }

  @Test
  void aMissingUpTellsWhatToDo() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.select("dev");

      StatusRuntimeException missing = failure(() -> up(agent));
      Files.writeString(agent.workspace.resolve("up"), "#!/bin/sh\n");
      StatusRuntimeException notExecutable = failure(() -> up(agent));

      assertThat(missing.getStatus().getDescription())
          .startsWith("up failed")
          .contains(agent.workspace.resolve("up").toString(), "chmod +x");
      assertThat(notExecutable.getStatus().getDescription()).contains("chmod +x");
    }
  }

  @Test
  void configThatCannotBeResolvedIsAnInvalidArgumentThatNamesTheKey() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.select("dev");

      Status status =
          failure(
                  () ->
                      agent
                          .client()
                          .setAllConfig(
                              SetAllConfigRequest.newBuilder()
                                  .addConfig(
                                      ConfigItem.newBuilder()
                                          .setKey("app:x")
                                          .setValueFrom(
                                              ConfigValueFrom.newBuilder().setEnv("NOT_SET_HERE")))
                                  .build()))
              .getStatus();

      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription()).contains("app:x", "NOT_SET_HERE");
    }
  }

  @Test
  void nothingRunsBeforeAStackIsSelectedAndTheIdStaysUnused() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "true");

      StatusRuntimeException early =
          failure(() -> agent.client("id-1").up(UP).forEachRemaining(m -> {}));
      agent.select("dev");
      agent.client("id-1").up(UP).forEachRemaining(m -> {});

      assertThat(early.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(agent.starts("id-1")).isEqualTo(1);
    }
  }

  @Test
  void anOperationIdOfUnreasonableLengthIsRefused() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "true");
      agent.select("dev");

      assertThat(
              failure(() -> agent.client("x".repeat(2000)).up(UP).forEachRemaining(m -> {}))
                  .getStatus()
                  .getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }
}
