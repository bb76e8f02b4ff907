package dev.reprise.e2e.pod;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodViewTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final ContainerView NEW =
      ContainerView.waiting("main", "image", "ContainerCreating");
  private static final ContainerView RUNNING = NEW.runs(NOW);
  private static final ContainerView DONE = RUNNING.ended(0, false, NOW);
  private static final ContainerView FAILED = RUNNING.ended(3, false, NOW);

  private static PodView pod(String policy, List<ContainerView> inits, ContainerView main) {
    return new PodView(policy, "10.0.0.1", "10.0.0.2", NOW, inits, List.of(main));
  }

  private static String phase(String policy, ContainerView main) {
    return pod(policy, List.of(), main).phase();
  }

  @Test
  void aPodIsPendingUntilItsContainersHaveStarted() {
    assertThat(phase("Always", NEW)).isEqualTo("Pending");
    assertThat(phase("Always", RUNNING)).isEqualTo("Running");
    assertThat(pod("Always", List.of(RUNNING), NEW).phase()).isEqualTo("Pending");
  }

  @Test
  void aPodEndsOnlyWhereItsContainersAreNotStartedAgain() {
    assertThat(phase("Always", DONE)).isEqualTo("Running");
    assertThat(phase("OnFailure", DONE)).isEqualTo("Succeeded");
    assertThat(phase("OnFailure", FAILED)).isEqualTo("Running");
    assertThat(phase("Never", FAILED)).isEqualTo("Failed");
    assertThat(pod("Never", List.of(FAILED), NEW).phase()).isEqualTo("Failed");
  }

  @Test
  void aContainerThatWaitsForItsRestartKeepsThePodRunning() {
    assertThat(phase("Always", FAILED.waits("CrashLoopBackOff", ""))).isEqualTo("Running");
  }

  @Test
  void aRestartIsCountedAndRemembersTheEndBefore() {
    ContainerView again = FAILED.waits("CrashLoopBackOff", "").runs(NOW);

    assertThat(again.restarts()).isEqualTo(1);
    assertThat(again.ended(1, false, NOW).runs(NOW).restarts()).isEqualTo(2);
    assertThat(again.status().getLastState().getTerminated().getExitCode()).isEqualTo(3);
    assertThat(again.status().getReady()).isFalse();
  }

  @Test
  void aConditionKeepsTheTimeOfItsChange() {
    PodStatus before = pod("Always", List.of(), RUNNING).status(null, NOW);
    Instant later = NOW.plusSeconds(60);

    PodStatus after = pod("Always", List.of(), RUNNING.readiness(true)).status(before, later);

    assertThat(condition(before, "Ready").getStatus()).isEqualTo("False");
    assertThat(condition(after, "Ready").getStatus()).isEqualTo("True");
    assertThat(condition(after, "Ready").getLastTransitionTime()).isEqualTo(later.toString());
    assertThat(condition(after, "PodScheduled").getLastTransitionTime()).isEqualTo(NOW.toString());
  }

  private static PodCondition condition(PodStatus status, String type) {
    return status.getConditions().stream()
        .filter(one -> one.getType().equals(type))
        .findFirst()
        .orElseThrow();
  }
}
