package dev.reprise.workflows.endurance;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Observation.Presence;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.WaitingFor;
import dev.reprise.workflows.endurance.Journal.Ask;
import dev.reprise.workflows.endurance.Script.Step;
import dev.reprise.workflows.testing.ObservedStack;
import dev.reprise.workflows.testing.RunFixture;
import dev.reprise.workflows.workflow.Hint;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackView;
import dev.reprise.workflows.workflow.StackWorkflow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Plays a script against a real run, and then waits for quiet. Stands in for the watcher too. */
final class Player {
  private static final Duration ROUND = Duration.ofMinutes(15);
  private static final int ROUNDS = 12;

  /** For what the worker still does once time stands; if it takes longer, another round does. */
  private static final Duration REST = Duration.ofMillis(700);

  /** The watcher starts another run so long after a run was cancelled. */
  private static final Duration SUCCESSION = Duration.ofSeconds(5);

  private final Script script;
  private final RunFixture fixture;
  private final DrawnWorld world;
  private final ObservedStack stack;
  private final Journal journal;
  private final List<String> violations = new ArrayList<>();
  private Instant successorAt = Instant.MAX;
  private int reportsBefore;
  private int changes = 1;

  Player(Script script, RunFixture fixture, DrawnWorld world, Journal journal) {
    this.script = script;
    this.fixture = fixture;
    this.world = world;
    this.stack = world.stack;
    this.journal = journal;
  }

  /** What was found wrong, one line for each. */
  List<String> play() {
    stack.retry(script.retry()).resync(script.resync()).destroyOnDelete(script.destroyOnDelete());
    stack.finalizer(false);
    start();
    for (Step step : script.steps()) {
      pass(step.after());
      did(step.toString());
      apply(step);
    }
    did("all is well");
    world.becomeWell();
    stack.obstacle(Obstacle.NONE).waitingFor(WaitingFor.NOTHING);
    wake();
    if (!stack.deleting()) {
      settle("known", () -> !Model.of(script, journal).unknown());
      endPause();
      settle("in sync", this::inSync);
    }
    if (script.deletedInTheEnd() || stack.deleting()) {
      did("deletion in the end");
      delete();
      settle("gone", () -> gone() && !open());
    }
    violations.addAll(Model.of(script, journal).violations());
    return violations;
  }

  private void endPause() {
    if (!Model.of(script, journal).held() && stack.observation().pause().isEmpty()) {
      return;
    }
    settle("paused", () -> view().phase().equals("Paused"));
    int before = Model.of(script, journal).sent();
    pass(Duration.ofHours(2));
    if (Model.of(script, journal).sent() != before) {
      violations.add("an operation began though the Stack is paused");
    }
    did("resumed in the end");
    stack.pause("");
    resume();
    wake();
  }

  private void apply(Step step) {
    int number = step.number();
    switch (step.event()) {
      case EDIT -> edit(number);
      case TOKEN -> change(of -> of.token("t" + ++changes));
      case REVISION -> change(of -> of.revision(number == 1 ? "r1" : "r" + ++changes));
      case INPUTS -> change(of -> of.inputs("v1:k:" + ++changes));
      case RETRY -> retry(false);
      case RETRY_RESETTING -> retry(true);
      case HOLD -> {
        if (tell(run -> run.hold("audit"))) {
          journal.add(new Journal.Held(world.now(), true));
        }
      }
      case RESUME -> resume();
      case PAUSE -> change(of -> of.pause("upgrade"));
      case UNPAUSE -> change(of -> of.pause(""));
      case WAKE -> {
        for (int i = 0; i < number; i++) {
          wake();
        }
      }
      case CANCEL_OPERATION -> tell(run -> run.cancelOperation("wrong region"));
      case CANCEL_RUN -> reach(() -> fixture.untyped().cancel("by a person"));
      case TERMINATE_RUN -> terminate(Duration.ofMinutes(number));
      case OBSERVING_FAILS -> world.failObserving(number);
      case REPORTING_FAILS -> world.failReporting(number);
      case MARKING_FAILS -> world.failMarking(number);
      case PREREQUISITE_MISSING ->
          change(of -> of.waitingFor(List.of("network has not succeeded yet")));
      case PREREQUISITE_SATISFIED -> change(of -> of.waitingFor(WaitingFor.NOTHING));
      case SOURCE_AWAY -> change(of -> of.obstacle(Obstacle.source("no route to git")));
      case SOURCE_BACK -> change(of -> of.obstacle(Obstacle.NONE));
      case DELETE -> delete();
    }
  }

  /** All of it at once, as the API server does it. */
  private void change(Consumer<ObservedStack> how) {
    synchronized (stack) {
      how.accept(stack);
    }
    wake();
  }

  private void edit(int number) {
    OperationKind kind =
        switch (number) {
          case 1 -> OperationKind.PREVIEW;
          case 2 -> OperationKind.REFRESH;
          default -> OperationKind.UP;
        };
    change(of -> of.kind(kind).generation(of.observation().generation() + 1));
  }

  private void delete() {
    if (!stack.deleting()) {
      change(ObservedStack::delete);
    }
  }

  private void retry(boolean resetting) {
    journal.add(new Journal.Asking(world.now(), resetting));
    boolean reached = tell(run -> run.retryNow(new RetryRequest(resetting, "by a person")));
    journal.add(new Journal.Asked(world.now(), reached));
  }

  private void resume() {
    boolean held = Model.of(script, journal).held();
    journal.add(new Journal.Held(world.now(), false));
    if (!tell(StackWorkflow::resume) && held) {
      journal.add(new Journal.Held(world.now(), true));
    }
  }

  private void terminate(Duration noticedAfter) {
    if (reach(() -> fixture.untyped().terminate("lost"))) {
      world.loseRun();
      successorAt = world.now().plus(noticedAfter);
    }
  }

  private boolean tell(Consumer<StackWorkflow> what) {
    return reach(() -> what.accept(fixture.current()));
  }

  /** Whether there was a run to be reached. */
  private static boolean reach(Runnable call) {
    try {
      call.run();
      return true;
    } catch (WorkflowNotFoundException closed) {
      return false;
    }
  }

  /** As the watcher does it: where there is no run, one is started. */
  private void wake() {
    if (!tell(run -> run.wake(new Hint("something changed"))) && !gone()) {
      succeed();
    }
  }

  private void pass(Duration time) {
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
      default -> violations.add("the run ended as %s, and the Stack is there".formatted(status));
    }
    fixture.replay(1);
    did("a successor starts after " + status);
    start();
  }

  private void start() {
    successorAt = Instant.MAX;
    reportsBefore = world.reports().size();
    world.successor();
    try {
      fixture.start(script.trimAfter());
    } catch (WorkflowExecutionAlreadyStarted open) {
      did("there is a run");
    }
  }

  private void settle(String wanted, BooleanSupplier reached) {
    for (int round = 0; round < ROUNDS; round++) {
      pass(ROUND);
      try {
        Awaitility.await().atMost(REST).ignoreExceptions().until(reached::getAsBoolean);
        return;
      } catch (ConditionTimeoutException notYet) {
        askAgainPastTheLimit();
      }
    }
    violations.add(
        "not %s after %s: %s\nlast report %s\nasks %s\nmodel\n%s\n%s"
            .formatted(
                wanted,
                ROUND.multipliedBy(ROUNDS),
                open() ? view() : status(),
                world.reports().isEmpty() ? "none" : world.lastReport(),
                Ask.of(stack.observation()),
                Model.of(script, journal),
                fixture.environment.getDiagnostics()));
  }

  private void askAgainPastTheLimit() {
    int limit = script.retry().failureLimit();
    if (limit > 0 && open() && view().phase().equals("Stalled") && view().failures() >= limit) {
      did("retry past the limit");
      retry(false);
    }
  }

  private boolean inSync() {
    Observation seen = stack.observation();
    ReportInput report = world.lastReport();
    var state = report.state();
    return view().phase().equals("InSync")
        && view().failures() == 0
        && report.conditions().size() == 1
        && report.generation() == seen.generation()
        && report.looked().generation() == seen.generation()
        && report.reconcileRequest().equals(seen.reconcileRequest())
        && report.paused().isEmpty()
        && state.hold().isEmpty()
        && !state.request().present()
        && !state.underway().exists()
        && Model.of(script, journal).doneWith(Ask.of(seen));
  }

  private StackView view() {
    return fixture.current().status();
  }

  private WorkflowExecutionStatus status() {
    return fixture.describe().getWorkflowExecutionInfo().getStatus();
  }

  private boolean open() {
    return status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  private boolean gone() {
    return stack.observation().presence() == Presence.GONE;
  }

  private void did(String what) {
    journal.add(new Journal.Did(world.now(), what));
  }
}
