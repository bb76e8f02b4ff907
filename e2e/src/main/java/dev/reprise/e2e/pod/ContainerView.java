package dev.reprise.e2e.pod;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A container at one moment.
 *
 * @param name its name in the pod
 * @param image its image's name
 * @param state what it does
 * @param lastState how it ended before that; null when it never did
 * @param restarts how often it was started again
 * @param ready whether it may be called; of an init container, whether it has done its work
 */
record ContainerView(
    String name,
    String image,
    ContainerState state,
    @Nullable ContainerState lastState,
    int restarts,
    boolean ready) {

  static ContainerView waiting(String name, String image, String reason) {
    return new ContainerView(name, image, waitingState(reason, ""), null, 0, false);
  }

  private static ContainerState waitingState(String reason, String message) {
    return new ContainerStateBuilder()
        .withNewWaiting()
        .withReason(reason)
        .withMessage(message.isEmpty() ? null : message)
        .endWaiting()
        .build();
  }

  /** It waits, and remembers how it ended before. */
  ContainerView waits(String reason, String message) {
    ContainerState last = state.getTerminated() == null ? lastState : state;
    return new ContainerView(name, image, waitingState(reason, message), last, restarts, false);
  }

  /** It runs, for the first time or again. */
  ContainerView runs(Instant now) {
    ContainerState last = state.getTerminated() == null ? lastState : state;
    ContainerState running =
        new ContainerStateBuilder().withNewRunning().withStartedAt(time(now)).endRunning().build();
    return new ContainerView(name, image, running, last, last == null ? 0 : restarts + 1, false);
  }

  /** It has ended. */
  ContainerView ended(int exitCode, boolean outOfMemory, Instant now) {
    ContainerState terminated =
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(exitCode)
            .withReason(outOfMemory ? "OOMKilled" : exitCode == 0 ? "Completed" : "Error")
            .withStartedAt(
                Optional.ofNullable(state.getRunning())
                    .map(running -> running.getStartedAt())
                    .orElse(time(now)))
            .withFinishedAt(time(now))
            .endTerminated()
            .build();
    return new ContainerView(name, image, terminated, lastState, restarts, false);
  }

  /** It may be called, or no more. */
  ContainerView readiness(boolean callable) {
    return new ContainerView(name, image, state, lastState, restarts, callable);
  }

  boolean running() {
    return state.getRunning() != null;
  }

  /** Whether it ended with this exit code, or ended so before it began to wait for its restart. */
  boolean terminated() {
    return state.getTerminated() != null;
  }

  boolean succeeded() {
    return terminated() && state.getTerminated().getExitCode() == 0;
  }

  ContainerStatus status() {
    return new ContainerStatusBuilder()
        .withName(name)
        .withImage(image)
        .withImageID(image)
        .withState(state)
        .withLastState(lastState)
        .withRestartCount(restarts)
        .withReady(ready)
        .withStarted(running())
        .build();
  }

  static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
