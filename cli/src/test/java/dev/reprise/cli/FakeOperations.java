package dev.reprise.cli;

import dev.reprise.activities.Activities;
import dev.reprise.activities.workspace.LocalWorkspaces;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.OperationActivity;
import dev.reprise.workflows.activity.WorkspaceActivity;
import dev.reprise.workflows.decision.Outcome;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.client.ActivityCanceledException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.spec.SecretKeySpec;

/** Workspaces and operations of which nothing runs; the rest of a worker is as it is. */
final class FakeOperations implements WorkspaceActivity, OperationActivity {
  /** An operation that was started or asked for, and when. */
  record Operation(OperationInput input, Instant time) {}

  private final InstantSource clock;
  private final Queue<Operation> started = new ConcurrentLinkedQueue<>();
  private final Queue<Operation> followed = new ConcurrentLinkedQueue<>();
  private volatile Outcome outcome;
  private volatile boolean hold;

  FakeOperations(InstantSource clock, Outcome outcome) {
    this.clock = clock;
    this.outcome = outcome;
  }

  /** From now on operations end so. */
  void endAs(Outcome next) {
    outcome = next;
  }

  /** From now on operations run until they are let go or cancelled. */
  void hold(boolean holding) {
    hold = holding;
  }

  List<Operation> started() {
    return List.copyOf(started);
  }

  /** Those that were asked for by their id, and not started. */
  List<Operation> followed() {
    return List.copyOf(followed);
  }

  /** The activities of a worker that does all for real but what these do. */
  Activities with(KubernetesClient kubernetes, Path folder) {
    Activities real =
        Activities.of(
            new Activities.Dependencies(
                kubernetes,
                "test",
                Policy.DEFAULTS,
                List.of(),
                "k1",
                new SecretKeySpec(new byte[] {1, 2, 3}, "HmacSHA256"),
                true,
                new LocalWorkspaces(
                    folder, new AgentCommandLine(Map.of()), new ProgramFetcher(), clock),
                clock));
    return new Activities(real.stacks(), List.of(this), List.of(this));
  }

  @Override
  public WorkspaceOutput ensureWorkspace(WorkspaceInput input) {
    return WorkspaceOutput.READY;
  }

  @Override
  public OperationOutput runOperation(OperationInput input) {
    Operation operation = new Operation(input, clock.instant());
    if (input.attachOnly()) {
      followed.add(operation);
    } else if (Activity.getExecutionContext().getInfo().getAttempt() == 1) {
      started.add(operation);
    }
    while (hold) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      try {
        Activity.getExecutionContext().heartbeat(input.operationId());
      } catch (ActivityCanceledException cancelled) {
        return new OperationOutput(Outcome.CANCELLED, "cancelled", true, "");
      }
    }
    Outcome ended = outcome;
    return new OperationOutput(ended, ended == Outcome.SUCCEEDED ? "" : "boom", true, "");
  }
}
