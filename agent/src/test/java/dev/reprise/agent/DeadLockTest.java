package dev.reprise.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.proto.agent.UpRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A CLI that was killed leaves its lock in the state behind. */
@EnabledIf("hostNameIsKnown")
final class DeadLockTest {
  /** No process has it: the kernel counts to four million at most. */
  private static final long DEAD = 4_194_305;

  @TempDir Path folder;
  @TempDir Path fakeFolder;

  static boolean hostNameIsKnown() {
    return Files.isReadable(Path.of("/proc/sys/kernel/hostname"));
  }

  private static String host() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  @Test
  void aLockOfADeadProcessOfThisHostIsRemovedAndTheOperationMade() throws Exception {
    FakePulumi pulumi = new FakePulumi(fakeFolder);
    pulumi.operation(locked(holder(host(), DEAD)));
    try (Agent agent = agent(pulumi)) {
      agent.client("op-1").up(UpRequest.getDefaultInstance()).forEachRemaining(m -> {});

      assertThat(pulumi.last("cancel"))
          .containsExactly("cancel", "--yes", "--stack", "dev", "--non-interactive");
      assertThat(agent.starts("op-1")).isEqualTo(1);
    }
  }

  @Test
  void aLockOfAnotherHostIsLeftAlone() throws Exception {
    staysLocked(holder("other", DEAD));
  }

  @Test
  void aLockWhoseProcessMayStillRunIsLeftAlone() throws Exception {
    Path program = Files.copy(Path.of("/bin/sleep"), folder.resolve("pulumi"));
    Process running =
        new ProcessBuilder(program.toString(), "600").redirectErrorStream(true).start();
    try {
      staysLocked(holder(host(), running.pid()));
    } finally {
      running.destroyForcibly();
    }
  }

  @Test
  void ofSeveralLocksTheDeadOnesAreLeftAloneToo() throws Exception {
    staysLocked(holder(host(), DEAD), holder("other", DEAD));
  }

  @Test
  void aLockThatNamesNobodyIsLeftAlone() throws Exception {
    staysLocked("  file:///state/lock.json: unreadable");
  }

  private void staysLocked(String... holders) throws Exception {
    FakePulumi pulumi = new FakePulumi(fakeFolder);
    pulumi.operation(locked(holders));
    try (Agent agent = agent(pulumi)) {
      Status status =
          catchThrowableOfType(
                  StatusRuntimeException.class,
                  () ->
                      agent
                          .client("op-1")
                          .up(UpRequest.getDefaultInstance())
                          .forEachRemaining(m -> {}))
              .getStatus();

      assertThat(status.getDescription()).contains("is currently locked by");
      assertThat(pulumi.calls()).noneMatch(call -> call.getFirst().equals("cancel"));
    }
  }

  private Agent agent(FakePulumi pulumi) throws IOException, InterruptedException {
    Agent agent = Agent.start(folder, c -> c.withEnvironment(pulumi.environment()));
    FakePulumi.project(agent.workspace);
    agent.select("dev");
    return agent;
  }

  private static String holder(String host, long pid) {
    return "  file:///state/lock.json: created by pulumi@%s (pid %d) at 2026-12-01T16:15:07Z"
        .formatted(host, pid);
  }

  /** Fails as the real CLI does until somebody cancels. */
  private static String locked(String... holders) {
    return """
    [ -e "$FAKE/cancelled" ] && exit 0
    cat >&2 <<'END'
    error: the stack is currently locked by %d lock(s). Either wait for the other process(es) to end or delete the lock file with `pulumi cancel`.
    %s
    END
    exit 255
    """
        .formatted(holders.length, String.join("\n", List.of(holders)).stripLeading());
  }
}
