package dev.reprise.workflows.endurance;

import dev.reprise.workflows.decision.Observation.Presence;
import dev.reprise.workflows.testing.RunFixture;
import dev.reprise.workflows.workflow.Hint;
import dev.reprise.workflows.workflow.StackView;
import dev.reprise.workflows.workflow.StackWorkflow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * The run of a Stack. Where it ends and the Stack is there, another is started, as the watcher does
 * it.
 */
final class KeptRun {
  /** The watcher starts another run so long after a run was cancelled. */
  private static final Duration SUCCESSION = Duration.ofSeconds(5);

  private final Script script;
  private final RunFixture fixture;
  private final DrawnWorld world;
  private final Journal journal;
  private Instant successorAt = Instant.MAX;
  private int reportsBefore;

  KeptRun(Script script, RunFixture fixture, DrawnWorld world, Journal journal) {
    this.script = script;
    this.fixture = fixture;
    this.world = world;
    this.journal = journal;
  }

  /** The run is lost, which the watcher notices so much later unless something else happens. */
  void terminate(Duration noticedAfter) {
    if (reach(() -> fixture.untyped().terminate("lost"))) {
      world.loseRun();
      successorAt = world.now().plus(noticedAfter);
    }
  }

  /** Whether there was a run to be told. */
  boolean tell(Consumer<StackWorkflow> what) {
    return reach(() -> what.accept(fixture.current()));
  }

  private static boolean reach(Runnable call) {
    try {
      call.run();
      return true;
    } catch (WorkflowNotFoundException closed) {
      return false;
    }
  }

  /** Something changed. */
  void wake() {
    if (!tell(run -> run.wake(new Hint("something changed"))) && !gone()) {
      succeed();
    }
  }

  /** Lets skipped time pass. */
  void pass(Duration time) {
    if (time.isZero()) {
      return;
    }
    fixture.pass(time);
    watch();
  }

  private void watch() {
    WorkflowExecutionStatus status = status();
    if (status == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING || gone()) {
      return;
    }
    if (successorAt.equals(Instant.MAX)) {
      successorAt = world.now().plus(SUCCESSION);
    } else if (!world.now().isBefore(successorAt)) {
      succeed();
    }
  }

  private void succeed() {
    WorkflowExecutionStatus status = status();
    switch (status) {
      case WORKFLOW_EXECUTION_STATUS_RUNNING -> {
        return;
      }
      case WORKFLOW_EXECUTION_STATUS_TERMINATED -> {}
      case WORKFLOW_EXECUTION_STATUS_CANCELED -> {
        // A run that never saw its Stack has nothing to say.
        if (world.reports().size() == reportsBefore) {
          world.loseRun();
        }
      }
      default ->
          journal.add(
              new Journal.Wrong(
                  world.now(), "the run ended as " + status + ", the Stack is there"));
    }
    fixture.replay(1);
    journal.add(new Journal.Did(world.now(), "a successor starts after " + status));
    start();
  }

  void start() {
    successorAt = Instant.MAX;
    reportsBefore = world.reports().size();
    world.successor();
    try {
      fixture.start(script.trimAfter());
    } catch (WorkflowExecutionAlreadyStarted open) {
      journal.add(new Journal.Did(world.now(), "there is a run"));
    }
  }

  void cancel() {
    boolean unused = reach(() -> fixture.untyped().cancel("by a person"));
  }

  StackView view() {
    return fixture.current().status();
  }

  WorkflowExecutionStatus status() {
    return fixture.describe().getWorkflowExecutionInfo().getStatus();
  }

  boolean open() {
    return status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  boolean gone() {
    return world.stack.observation().presence() == Presence.GONE;
  }
}
