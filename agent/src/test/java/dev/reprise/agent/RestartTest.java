package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.operation.Journal;
import dev.reprise.agent.operation.JournalEntry;
import dev.reprise.agent.process.Launcher;
import dev.reprise.agent.process.ProcessIdentity;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import dev.reprise.proto.operation.WatchRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RestartTest {
  @TempDir Path folder;

  @Test
  void aKilledAgentsSuccessorEndsItsChildAndAnswersInterrupted() throws Exception {
    ProcessIdentity child;
    try (AgentProcess agent = new AgentProcess(folder)) {
      Agent.program(
          agent.workspace,
          "up",
          """
          trap 'echo yes > was-interrupted; exit 130' INT
          echo $$ > pid
          echo running
          while :; do sleep 0.05; done
          """);
      Agent.select(agent.channel, "dev");
      Agent.client(agent.channel)
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(Agent.id("op-1")))
          .up(UpRequest.getDefaultInstance())
          .next();
      child = pid(agent.workspace.resolve("pid"));
      agent.kill();
    }
    assertThat(child.alive()).isTrue();
    assertThat(AgentAddress.read(folder.resolve("state")).orElseThrow().alive()).isFalse();

    try (Agent next = Agent.start(folder)) {
      assertThat(child.alive()).isFalse();
      assertThat(next.workspace.resolve("was-interrupted")).exists();
      Operation operation =
          next.operations().describe(DescribeRequest.newBuilder().setId("op-1").build());
      assertThat(operation.getState()).isEqualTo(State.STATE_INTERRUPTED);
      assertThat(operation.hasEndTime()).isTrue();
      next.select("dev");
      assertThat(refusal(() -> next.client("op-1").up(UpRequest.getDefaultInstance()).next()))
          .isEqualTo(Status.Code.ALREADY_EXISTS);
      assertThat(
              refusal(
                  () ->
                      next.operations()
                          .watch(WatchRequest.newBuilder().setId("op-1").build())
                          .next()))
          .isEqualTo(Status.Code.NOT_FOUND);
      assertThat(next.starts("op-1")).isEqualTo(1);
    }
  }

  @Test
  void aChildStartedInTheInstantBeforeItsJournalLineIsFoundByItsMark() throws Exception {
    Path state = Files.createDirectories(folder.resolve("state"));
    ProcessBuilder builder = new ProcessBuilder("sleep", "600");
    builder.environment().putAll(new Launcher(state).marks(Map.of()));
    Process orphan = builder.start();
    try (Journal journal = Journal.open(state)) {
      journal.append(
          new JournalEntry(
              JournalEntry.Event.STARTED, "op-1", "up", "2026-01-01T00:00:00Z", 0, 0, false));
    }

    try (Agent agent = Agent.start(folder)) {
      assertThat(orphan.isAlive()).isFalse();
      assertThat(
              agent
                  .operations()
                  .describe(DescribeRequest.newBuilder().setId("op-1").build())
                  .getState())
          .isEqualTo(State.STATE_INTERRUPTED);
    } finally {
      orphan.destroyForcibly();
    }
  }

  @Test
  void aResultIsStillThereAfterARestart() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "echo done");
      agent.select("dev");
      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});
    }

    try (Agent next = Agent.start(folder)) {
      assertThat(next.client("op-1").up(UpRequest.getDefaultInstance()).next().getResult())
          .matches(result -> result.getStdout().equals("done\n"));
      assertThat(next.starts("op-1")).isEqualTo(1);
    }
  }

  @Test
  void twoAgentsNeverShareAStateFolder() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      IOException e = catchThrowableOfType(IOException.class, () -> Agent.start(folder));

      assertThat(e).hasMessageContaining(agent.stateDir.toString());
    }
  }

  @Test
  void aPortInUseIsNamedAndTheStateFolderIsFreeAgain() throws Exception {
    try (Agent agent = Agent.start(folder.resolve("one"))) {
      int port = agent.server.port();
      IOException e =
          catchThrowableOfType(
              IOException.class,
              () -> Agent.start(folder.resolve("two"), c -> c.withAddress("127.0.0.1", port)));

      assertThat(e).hasMessageContaining(Integer.toString(port));
    }
    Agent.start(folder.resolve("two")).close();
  }

  private static Status.Code refusal(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus().getCode();
  }

  private static ProcessIdentity pid(Path file) throws IOException {
    await().until(() -> Files.exists(file) && !Files.readString(file).isBlank());
    return ProcessIdentity.of(Long.parseLong(Files.readString(file).strip()));
  }
}
