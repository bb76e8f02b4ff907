package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.process.ProcessIdentity;
import dev.reprise.proto.agent.UpRequest;
import io.grpc.Attributes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class LossLimitTest {
  @TempDir Path folder;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final InstantSource clock = now::get;

  private void pass(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }

  @Test
  void aConnectionStopsTheClockAndItsEndStartsItAnew() {
    Clients clients = new Clients(clock);
    pass(Duration.ofMinutes(4));
    assertThat(clients.alone()).isEqualTo(Duration.ofMinutes(4));

    clients.transportReady(Attributes.EMPTY);
    clients.transportReady(Attributes.EMPTY);
    clients.transportTerminated(Attributes.EMPTY);
    pass(Duration.ofMinutes(4));
    assertThat(clients.alone()).isZero();

    clients.transportTerminated(Attributes.EMPTY);
    pass(Duration.ofMinutes(3));
    assertThat(clients.alone()).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  @Timeout(60)
  void anAgentThatEverybodyLeftCancelsWhatRunsAndEnds() throws Exception {
    try (Agent agent =
        Agent.start(folder, c -> c.withClock(clock).withLossLimit(Duration.ofMinutes(10)))) {
      agent.program("up", "echo $$ > pid; echo up; while :; do sleep 0.05; done");
      agent.select("dev");
      agent.client("op-1").up(UpRequest.getDefaultInstance()).next();
      ProcessIdentity child =
          ProcessIdentity.of(
              Long.parseLong(Files.readString(agent.workspace.resolve("pid")).strip()));
      pass(Duration.ofMinutes(11));
      assertThat(child.alive()).isTrue();

      agent.channel.shutdownNow();
      assertThat(agent.channel.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      // The time of the loss is noted when the server sees it, so the clock goes on until it has.
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                pass(Duration.ofMinutes(11));
                return !child.alive();
              });
      agent.server.awaitTermination();

      assertThat(agent.stateDir.resolve(AgentAddress.FILE)).doesNotExist();
    }
  }
}
