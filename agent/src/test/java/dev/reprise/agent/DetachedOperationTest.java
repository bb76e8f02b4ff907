package dev.reprise.agent;

import static dev.reprise.agent.WaitingProgram.WAITING;
import static dev.reprise.agent.WaitingProgram.describe;
import static dev.reprise.agent.WaitingProgram.start;
import static dev.reprise.agent.WaitingProgram.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.agent.operation.OperationException;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.State;
import dev.reprise.proto.operation.WatchRequest;
import dev.reprise.proto.operation.WatchResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DetachedOperationTest {
  @TempDir Path folder;

  private static void go(Agent agent) throws IOException {
    Files.writeString(agent.workspace.resolve("go"), "");
  }

  @Test
  void losingTheStreamChangesNothingAndWatchTellsTheRest() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", WAITING);
      agent.select("dev");
      start(agent, "op-1");

      Iterator<WatchResponse> watch =
          agent.operations().watch(WatchRequest.newBuilder().setId("op-1").build());
      Operation snapshot = watch.next().getSnapshot();
      go(agent);
      List<WatchResponse> rest = new ArrayList<>();
      watch.forEachRemaining(rest::add);

      assertThat(snapshot.getState()).isEqualTo(State.STATE_RUNNING);
      assertThat(snapshot.getProgress().getEvents()).isEqualTo(1);
      assertThat(snapshot.getProgress().getLastLine()).isEqualTo("waiting");
      assertThat(rest).hasSize(2);
      assertThat(rest.getFirst().getEvent().toString()).contains("going");
      assertThat(rest.getLast().getResult().getUp().getStdout()).isEqualTo("waiting\ngoing\n");
      assertThat(agent.starts("op-1")).isEqualTo(1);
      assertThat(describe(agent, "op-1").getState()).isEqualTo(State.STATE_FINISHED);
      assertThat(describe(agent, "op-1").hasEndTime()).isTrue();
    }
  }

  @Test
  void theSameIdJoinsWhileRunningAndGetsTheResultAfterwards() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", WAITING);
      agent.select("dev");
      start(agent, "op-1");
      Iterator<UpStream> second = agent.client("op-1").up(UpRequest.getDefaultInstance());
      go(agent);

      List<UpStream> joined = new ArrayList<>();
      second.forEachRemaining(joined::add);
      List<UpStream> afterwards = new ArrayList<>();
      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(afterwards::add);

      assertThat(joined.getLast().hasResult()).isTrue();
      assertThat(afterwards).hasSize(1);
      assertThat(afterwards.getFirst()).isEqualTo(joined.getLast());
      assertThat(agent.starts("op-1")).isEqualTo(1);
    }
  }

  @Test
  void anIdOfAnotherKindIsRefused() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "true");
      agent.select("dev");
      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});

      StatusRuntimeException e =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> agent.client("op-1").preview(PreviewRequest.getDefaultInstance()).next());

      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }

  @Test
  void anotherIdIsRefusedWithTheRunningOne() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", WAITING);
      agent.select("dev");
      start(agent, "op-1");

      StatusRuntimeException e =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> agent.client("op-2").up(UpRequest.getDefaultInstance()).next());
      Operation unknown = describe(agent, "op-2");
      Operation current = describe(agent, "");
      go(agent);
      watch(agent, "op-1");

      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(e.getStatus().getDescription()).contains("op-1");
      assertThat(Objects.requireNonNull(e.getTrailers()).get(OperationException.RUNNING_OPERATION))
          .isEqualTo("op-1");
      assertThat(unknown.getState()).isEqualTo(State.STATE_UNKNOWN);
      assertThat(unknown.getRunningId()).isEqualTo("op-1");
      assertThat(current.getId()).isEqualTo("op-1");
      assertThat(agent.starts("op-2")).isZero();
    }
  }

  @Test
  void anIdWhoseResultWasReplacedIsNeverStartedAgain() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      agent.program("up", "true");
      agent.select("dev");
      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});
      agent.client("op-2").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});

      StatusRuntimeException e =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () -> agent.client("op-1").up(UpRequest.getDefaultInstance()).next());

      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
      assertThat(describe(agent, "op-1").getState()).isEqualTo(State.STATE_UNKNOWN);
      assertThat(agent.starts("op-1")).isEqualTo(1);
    }
  }

  @Test
  void closingTheAgentCancelsWhatRunsAndKeepsTheResult() throws Exception {
    Agent agent = Agent.start(folder);
    agent.program("up", WAITING);
    agent.select("dev");
    start(agent, "op-1");

    agent.close();

    assertThat(agent.stateDir.resolve(AgentAddress.FILE)).doesNotExist();
    try (Agent next = Agent.start(folder)) {
      assertThat(watch(next, "op-1").getLast().getResult().getCancelled()).isTrue();
    }
  }

  @Test
  void watchingWhatIsNotKnownIsNotFound() throws Exception {
    try (Agent agent = Agent.start(folder)) {
      StatusRuntimeException e =
          catchThrowableOfType(StatusRuntimeException.class, () -> watch(agent, "nobody"));

      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }
  }
}
