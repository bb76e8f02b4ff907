package dev.reprise.agent;

import static dev.reprise.agent.WaitingProgram.WAITING;
import static dev.reprise.agent.WaitingProgram.describe;
import static dev.reprise.agent.WaitingProgram.start;
import static dev.reprise.agent.WaitingProgram.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.process.ProcessIdentity;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.operation.CancelRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CancelTest {
  @TempDir Path folder;

  private static ProcessIdentity process(Path pidFile) throws IOException {
    await().until(() -> Files.exists(pidFile) && !Files.readString(pidFile).isBlank());
    return ProcessIdentity.of(Long.parseLong(Files.readString(pidFile).strip()));
  }

  private static void ended(ProcessIdentity process) {
    await().atMost(Duration.ofSeconds(30)).until(() -> !process.alive());
  }

  @Test
  void losingAPlainStreamInterruptsTheProgram() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", WAITING);
      agent.select("dev");
      try (Context.CancellableContext call = Context.current().withCancellation()) {
        call.run(() -> agent.client().up(UpRequest.getDefaultInstance()).next());
      }

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> describe(agent, "").getState() == State.STATE_FINISHED);
      assertThat(watch(agent, describe(agent, "").getId()).getLast().getResult().getCancelled())
          .isTrue();
    }
  }

  @Test
  void aPlainAgentKnowsNoIdsSoThatLosingAStreamWithAnIdInterruptsTheProgram() throws Exception {
    try (Agent agent = Agent.start(folder, c -> c.withPlain(true))) {
      agent.program("up", "echo $$ > pid\n" + WAITING);
      agent.select("dev");
      try (Context.CancellableContext call = Context.current().withCancellation()) {
        call.run(() -> agent.client("op-1").up(UpRequest.getDefaultInstance()).next());
      }

      ended(process(agent.workspace.resolve("pid")));
      StatusRuntimeException e =
          catchThrowableOfType(StatusRuntimeException.class, () -> describe(agent, "op-1"));
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    }
  }

  @Test
  void cancelInterruptsAndIsIdempotent() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", WAITING);
      agent.select("dev");
      Iterator<UpStream> stream = agent.client("op-1").up(UpRequest.getDefaultInstance());
      stream.next();
      CancelRequest cancel =
          CancelRequest.newBuilder().setId("op-1").setReason("asked by a test").build();

      Operation answer = agent.operations().cancel(cancel);
      agent.operations().cancel(cancel.toBuilder().setReason("again").build());
      StatusRuntimeException e =
          catchThrowableOfType(
              StatusRuntimeException.class, () -> stream.forEachRemaining(m -> {}));

      assertThat(answer.getCancelReason()).isEqualTo("asked by a test");
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.CANCELLED);
      assertThat(e.getStatus().getDescription())
          .startsWith("up cancelled: asked by a test")
          .contains("interrupted");
      var result = watch(agent, "op-1").getLast().getResult();
      assertThat(result.getCancelled()).isTrue();
      assertThat(result.getFailure().getCode()).isEqualTo(Status.Code.CANCELLED.value());
    }
  }

  @Test
  void aProgramThatIgnoresTheInterruptIsKilledWithItsTreeAfterTheGrace() throws Exception {
    try (Agent agent = Agent.start(folder, c -> c.withCancelGrace(Duration.ofMillis(300)))) {
      agent.program(
          "up",
          """
          trap '' INT
          setsid sh -c 'echo $$ > straggler; while :; do sleep 1; done' &
          while [ ! -e straggler ]; do sleep 0.05; done
          echo $$ > pid
          echo ready
          while :; do sleep 1; done
          """);
      agent.select("dev");
      start(agent, "op-1");
      ProcessIdentity main = process(agent.workspace.resolve("pid"));
      ProcessIdentity straggler = process(agent.workspace.resolve("straggler"));

      agent.operations().cancel(CancelRequest.newBuilder().setId("op-1").build());

      assertThat(watch(agent, "op-1").getLast().getResult().getCancelled()).isTrue();
      ended(main);
      ended(straggler);
    }
  }

  @Test
  void whatAProgramLeavesBehindEndsWithIt() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program(
          "up",
          """
          setsid sh -c 'echo $$ > other-session; exec sleep 600' &
          sh -c 'echo $$ > background; exec sleep 600' &
          while [ ! -s other-session ] || [ ! -s background ]; do sleep 0.05; done
          """);
      agent.select("dev");

      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});

      for (String file : List.of("other-session", "background")) {
        assertThat(process(agent.workspace.resolve(file)).alive()).as(file).isFalse();
      }
    }
  }

  @Test
  void aProcessThatDropsTheMarkAndLeavesTheSessionLivesOn() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program(
          "up",
          """
          env -u REPRISE_AGENT setsid sh -c 'echo $$ > server; exec sleep 600' > log 2>&1 &
          while [ ! -s server ]; do sleep 0.05; done
          """);
      agent.select("dev");

      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});

      ProcessIdentity server = process(agent.workspace.resolve("server"));
      assertThat(server.alive()).isTrue();
      ProcessHandle.of(server.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
