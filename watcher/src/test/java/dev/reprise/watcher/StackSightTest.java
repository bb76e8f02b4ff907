package dev.reprise.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.reprise.watcher.StackSight.Shown;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StackSightTest {
  private static final String NEXT = "2026-12-01T12:04:00Z";

  @Test
  void oneInOrderIsReadyAndNotFailing() {
    assertThat(StackSight.of(Stacks.inOrder("web").ready("web-1").build()))
        .isEqualTo(new StackSight("default", "web", false, Shown.READY, Instant.MAX, ""));
  }

  @Test
  void oneNobodyHasTakenUpShowsNothing() {
    assertThat(StackSight.of(Stacks.inOrder("web").withoutStatus()).shown()).isEqualTo(Shown.NONE);
  }

  @Test
  void oneWhoseLastUpdateFailedIsFailingAndCoolsDown() {
    StackSight sight =
        StackSight.of(
            Stacks.inOrder("web")
                .reconciling("RetryingAfterFailure")
                .status("lastUpdate", Map.of("state", "failed"))
                .retry("nextAttemptTime", NEXT)
                .build());
    assertThat(sight.failing()).isTrue();
    assertThat(sight.shown()).isEqualTo(Shown.RECONCILING);
    assertThat(sight.coolingDown()).isTrue();
    assertThat(sight.nextAttempt()).isEqualTo(NEXT);
  }

  @Test
  void oneWhoseWorkspaceFailedIsFailingThoughNoUpdateRan() {
    assertThat(StackSight.of(Stacks.inOrder("web").retry("failures", 2).build()).failing())
        .isTrue();
  }

  @Test
  void oneWhoseOperationRunsDoesNotCoolDown() {
    StackSight sight =
        StackSight.of(
            Stacks.inOrder("web")
                .shows("Stalled", "UpdateFailed")
                .retry("nextAttemptTime", NEXT)
                .retry("running", Map.of("kind", "destroy"))
                .build());
    assertThat(sight.coolingDown()).isFalse();
    assertThat(sight.running()).isEqualTo("destroy");
    assertThat(sight.shown()).isEqualTo(Shown.STALLED);
  }
}
