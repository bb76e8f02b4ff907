package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpResult;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.agent.WhoAmIRequest;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 100 MB of output through an agent whose whole heap is smaller than that. */
final class LargeOutputTest {
  private static final String HEAP = "-Xmx64m";

  @TempDir Path folder;

  @Test
  void manyLinesPassThroughAndOnlyTheFirstAndLastStay() throws Exception {
    try (AgentProcess agent = new AgentProcess(folder, HEAP)) {
      Agent.program(
          agent.workspace,
          "up",
          "echo first; head -c 100000000 /dev/zero | tr '\\0' x | fold -w 999; echo; echo last");
      Agent.select(agent.channel, "dev");

      Iterator<UpStream> stream = Agent.client(agent.channel).up(UpRequest.getDefaultInstance());
      UpResult result = UpResult.getDefaultInstance();
      long events = 0;
      while (stream.hasNext()) {
        UpStream message = stream.next();
        events += message.hasEvent() ? 1 : 0;
        result = message.getResult();
      }

      assertThat(events).isPositive();
      assertThat(result.getStdout()).startsWith("first\n").endsWith("last\n");
      assertThat(result.getStdout()).contains("lines left out");
      assertThat(result.getStdout().length()).isLessThan(256 * 1024);
      assertThat(
              Files.size(agent.stateDir.resolve("output.log"))
                  + Files.size(agent.stateDir.resolve("output.log.1")))
          .isLessThan(20 * 1024 * 1024);
      Agent.client(agent.channel).whoAmI(WhoAmIRequest.getDefaultInstance());
      assertThat(agent.alive()).isTrue();
    }
  }

  @Test
  void oneEndlessLineIsCut() throws Exception {
    try (AgentProcess agent = new AgentProcess(folder, HEAP)) {
      Agent.program(
          agent.workspace,
          "up",
          "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo 'the reason' >&2; exit 1");
      Agent.select(agent.channel, "dev");

      StatusRuntimeException e =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  Agent.client(agent.channel)
                      .up(UpRequest.getDefaultInstance())
                      .forEachRemaining(m -> {}));

      assertThat(e.getStatus().getDescription()).contains("exit code 1", "the reason");
      assertThat(agent.alive()).isTrue();
    }
  }

  @Test
  void aCallerThatDoesNotReadNeitherStopsTheProgramNorFillsTheHeap() throws Exception {
    try (AgentProcess agent = new AgentProcess(folder, HEAP)) {
      Agent.program(
          agent.workspace,
          "up",
          "head -c 100000000 /dev/zero | tr '\\0' x | fold -w 999; touch all-written");
      Agent.select(agent.channel, "dev");

      Iterator<UpStream> stream = Agent.client(agent.channel).up(UpRequest.getDefaultInstance());
      stream.next();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(agent.workspace.resolve("all-written")));
      StringBuilder notes = new StringBuilder();
      UpResult result = UpResult.getDefaultInstance();
      while (stream.hasNext()) {
        UpStream message = stream.next();
        String text = message.getEvent().toString();
        if (text.contains("left out")) {
          notes.append(text);
        }
        result = message.getResult();
      }

      assertThat(notes).contains("events left out: read too slowly");
      assertThat(result.getSummary().getResult()).isEqualTo("succeeded");
    }
  }
}
