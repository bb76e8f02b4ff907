package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.process.ProcessIdentity;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.operation.CancelRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import dev.reprise.proto.operation.WatchRequest;
import dev.reprise.proto.operation.WatchResponse;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CancelTest {
  /** Announces itself, then waits for the file "go". */
  private static final String WAITING =
      """
      trap 'echo interrupted; exit 130' INT
      echo $$ > pid
      echo waiting
      while [ ! -e go ]; do sleep 0.05; done
      echo going
      """;

  @TempDir Path folder;

  private static void start(Agent agent, String id) {
    try (Context.CancellableContext call = Context.current().withCancellation()) {
      call.run(
          () ->
              assertThat(agent.client(id).up(UpRequest.getDefaultInstance()).next().hasEvent())
                  .isTrue());
    }
  }

  private static Operation describe(Agent agent, String id) {
    return agent.operations().describe(DescribeRequest.newBuilder().setId(id).build());
  }

  private static List<WatchResponse> watch(Agent agent, String id) {
    List<WatchResponse> seen = new ArrayList<>();
    agent
        .operations()
        .watch(WatchRequest.newBuilder().setId(id).build())
        .forEachRemaining(seen::add);
    return seen;
  }

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
