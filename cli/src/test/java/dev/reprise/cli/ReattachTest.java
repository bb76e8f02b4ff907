package dev.reprise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.operation.Journal;
import dev.reprise.agent.operation.JournalEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Operations outlive the processes that follow them, and end with those that nobody follows. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReattachTest {
  @TempDir Path folder;
  private Sandbox sandbox = new Sandbox(Path.of(""));

  @BeforeEach
  void open() {
    sandbox = new Sandbox(folder);
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  @Test
  void aWorkerThatIsKilledIsFollowedByAnotherInTheSameOperation() throws Exception {
    slowStack(45);
    RepriseProcess dev = devWithoutWorker();
    RepriseProcess killed = sandbox.start("worker");
    awaitOperation(dev);

    killed.kill();
    sandbox.start("worker");

    try (Cluster cluster = Cluster.of(sandbox)) {
      // Longer than the heartbeat timeout: only the second worker can have told this.
      await().atMost(RepriseProcess.LONG).until(() -> cluster.eventsOfOperation("slow") > 35);
      assertThat(marks()).containsExactly("start");
      dev.awaitLine("default/slow  Ready");
      assertRanOnce(cluster);
    }
  }

  @Test
  void aWorkerThatIsEndedInOrderHandsItsOperationOverToTheNext() throws Exception {
    slowStack(20);
    RepriseProcess dev = devWithoutWorker();
    RepriseProcess ended = sandbox.start("worker");
    awaitOperation(dev);

    ended.signal("TERM");
    ended.awaitExit();
    assertThat(marks()).containsExactly("start");
    sandbox.start("worker");

    dev.awaitLine("default/slow  Ready");
    try (Cluster cluster = Cluster.of(sandbox)) {
      assertRanOnce(cluster);
    }
  }

  @Test
  void aWorkerThatWasFrozenAndComesBackChangesNothing() throws Exception {
    slowStack(20);
    RepriseProcess dev = devWithoutWorker();
    RepriseProcess frozen = sandbox.start("worker");
    awaitOperation(dev);

    frozen.signal("STOP");
    sandbox.start("worker");
    dev.awaitLine("default/slow  Ready");
    frozen.signal("CONT");

    try (Cluster cluster = Cluster.of(sandbox)) {
      await()
          .during(Duration.ofSeconds(10))
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertRanOnce(cluster));
      assertThat(frozen.running()).isTrue();

      // Whichever of the two takes it, the next attempt is one operation more and no other.
      RepriseProcess retry = sandbox.start("retry", "slow");
      assertThat(retry.awaitExit()).as(retry.output()).isZero();
      await()
          .atMost(RepriseProcess.LONG)
          .untilAsserted(() -> assertThat(marks()).containsExactly("start", "end", "start", "end"));
      dev.awaitLine("default/slow  Ready");
      assertThat(starts()).isEqualTo(2);
    }
  }

  @Test
  void anAgentThatHasLostAllClientsEndsItsOperationAndItself() throws Exception {
    slowStack(600);
    RepriseProcess dev = sandbox.with(AgentCommandLine.ALONE_VARIABLE, "3s").start("dev", "stacks");
    awaitOperation(dev);
    Path agent = agent();

    dev.kill();

    await().atMost(RepriseProcess.LONG).until(() -> sandbox.left().isEmpty());
    assertThat(marks()).containsExactly("start", "interrupted");
    assertThat(Journal.read(agent))
        .extracting(JournalEntry::event)
        .containsExactly(
            JournalEntry.Event.STARTED, JournalEntry.Event.CHILD, JournalEntry.Event.FINISHED);
  }

  @Test
  void anotherDevFollowsWhatAKilledOneLeftRunning() throws Exception {
    slowStack(10);
    RepriseProcess killed = sandbox.start("dev", "stacks");
    awaitOperation(killed);
    killed.kill();

    RepriseProcess dev = sandbox.start("dev", "--until", "ready", "stacks");

    assertThat(dev.awaitExit()).as(dev.output()).isZero();
    assertThat(marks()).containsExactly("start", "end");
    assertThat(starts()).isEqualTo(1);
    assertThat(sandbox.left()).isEmpty();
  }

  private RepriseProcess devWithoutWorker() throws Exception {
    RepriseProcess dev = sandbox.start("dev", "--without", "worker", "stacks");
    dev.awaitLine("applied Stack slow");
    return dev;
  }

  private void awaitOperation(RepriseProcess dev) throws Exception {
    dev.awaitLine("default/slow  Running", "stack is being processed");
    await().atMost(RepriseProcess.LONG).until(() -> marks().contains("start"));
  }

  private long starts() throws Exception {
    return Journal.read(agent()).stream()
        .filter(entry -> entry.event() == JournalEntry.Event.STARTED)
        .count();
  }

  private void assertRanOnce(Cluster cluster) throws Exception {
    assertThat(marks()).containsExactly("start", "end");
    assertThat(starts()).isEqualTo(1);
    assertThat(cluster.results("slow")).isEqualTo(1);
    assertThat(cluster.lastUpdate("slow").state()).isEqualTo("succeeded");
    assertThat(cluster.row("slow").ready()).isTrue();
    assertThat(cluster.row("slow").failures()).isZero();
  }

  private Path agent() {
    return sandbox.workspace("slow").resolve("agent");
  }

  private List<String> marks() throws Exception {
    Path marks = folder.resolve("marks");
    return Files.exists(marks) ? Files.readAllLines(marks) : List.of();
  }

  /** A Stack whose up tells each second how far it is, and leaves marks outside its folder. */
  private void slowStack(int seconds) throws Exception {
    sandbox.program(
        "stacks/slow/up",
        """
        trap 'echo interrupted >>../../marks; exit 1' INT
        echo start >>../../marks
        step=0
        while [ $step -lt %d ]; do
          echo "step $step"
          sleep 1
          step=$((step + 1))
        done
        echo end >>../../marks
        """
            .formatted(seconds));
    sandbox.write(
        "stacks/slow.yaml",
        """
        apiVersion: pulumi.com/v1
        kind: Stack
        metadata: {name: slow}
        spec:
          stack: dev
          workspaceTemplate: {spec: {local: {dir: slow}}}
        """);
  }
}
