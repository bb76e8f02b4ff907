package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.reprise.activities.workspace.AgentMain;
import dev.reprise.activities.workspace.LocalWorkspaces;
import dev.reprise.activities.workspace.Placement;
import dev.reprise.activities.workspace.SourceFetcher;
import dev.reprise.activities.workspace.WorkspaceRequest;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.stack.spec.SpecReader;
import dev.reprise.stack.spec.StackSpec;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.activity.OperationActivity.Progress;
import dev.reprise.workflows.decision.Outcome;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityWorkerShutdownException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The same rules with Reprise's own agent in a process of its own. */
class RealAgentTest extends OperationFixture {
  @TempDir private Path temp = Path.of("");
  private LocalWorkspaces local =
      new LocalWorkspaces(temp, AgentMain::command, SourceFetcher.LOCAL, InstantSource.system());

  @BeforeEach
  void startAgent() throws Exception {
    local =
        new LocalWorkspaces(
            temp.resolve("state"), AgentMain::command, SourceFetcher.LOCAL, InstantSource.system());
    Path program = Files.createDirectories(temp.resolve("program"));
    Path up = program.resolve("up");
    Files.writeString(
        up,
        """
        #!/bin/sh
        echo run >> runs
        echo working
        while [ ! -f go ]; do sleep 0.1; done
        """);
    Files.setPosixFilePermissions(up, PosixFilePermissions.fromString("rwx------"));
    StackSpec spec =
        SpecReader.read(
            JsonMapper.shared()
                .readTree(
                    "{\"stack\":\"dev\",\"workspaceTemplate\":{\"spec\":{\"local\":{\"dir\":\"%s\"}}}}"
                        .formatted(program)),
            "apps");
    WorkspaceRequest request =
        new WorkspaceRequest(
            STACK,
            spec,
            "r1",
            Map.of(),
            new TreeMap<>(),
            new WorkspaceRequest.Purpose.Operation(),
            Instant.EPOCH);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> local.place(request) instanceof Placement.Ready);
  }

  @AfterEach
  void endAgent() {
    local.delete(STACK);
  }

  @Test
  void anotherWorkerAttachesToTheOperationALostOneLeft() throws Exception {
    ActivityWorkerShutdownException shutdown = new ActivityWorkerShutdownException();
    assertThatThrownBy(() -> attempt(false, whenWorking(shutdown)).run()).isSameAs(shutdown);
    Files.createFile(temp.resolve("program/go"));
    OperationOutput output = attempt(true, beats::add).run();
    assertThat(output.outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(beats.getLast().events()).isPositive();
    assertThat(Files.readAllLines(temp.resolve("program/runs"))).hasSize(1);
    assertThat(kept).hasSize(1);
  }

  @Test
  void aCancelEndsTheProgram() throws Exception {
    OperationOutput output = attempt(false, whenWorking(new ActivityCanceledException())).run();
    assertThat(output.outcome()).isEqualTo(Outcome.CANCELLED);
    assertThat(output.sent()).isTrue();
  }

  private static Consumer<Progress> whenWorking(RuntimeException thrown) {
    return beat -> {
      if (beat.events() > 0) {
        throw thrown;
      }
    };
  }

  private OperationAttempt attempt(boolean mayHaveSent, Consumer<Progress> heartbeat) {
    return new OperationAttempt(
        new RunOperation.Parts(
            ref -> stack,
            new StackReader(Policy.DEFAULTS),
            s -> List.of(),
            local,
            results,
            Timing.DEFAULT),
        input(),
        mayHaveSent,
        heartbeat);
  }
}
