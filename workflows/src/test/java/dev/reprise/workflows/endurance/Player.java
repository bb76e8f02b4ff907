package dev.reprise.workflows.endurance;

import dev.reprise.workflows.activity.ReportActivity.ReportInput;
import dev.reprise.workflows.decision.Observation;
import dev.reprise.workflows.decision.Obstacle;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.WaitingFor;
import dev.reprise.workflows.endurance.Journal.Ask;
import dev.reprise.workflows.endurance.Script.Step;
import dev.reprise.workflows.testing.ObservedStack;
import dev.reprise.workflows.testing.RunFixture;
import dev.reprise.workflows.workflow.RetryRequest;
import dev.reprise.workflows.workflow.StackWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Plays a script against a real run, and then waits for quiet. */
final class Player {
  private static final Duration ROUND = Duration.ofMinutes(15);
  private static final int ROUNDS = 12;

  /** For what the worker still does once time stands; if it takes longer, another round does. */
  private static final Duration REST = Duration.ofMillis(700);

  private final Script script;
  private final RunFixture fixture;
  private final DrawnWorld world;
  private final ObservedStack stack;
  private final Journal journal;
  private final KeptRun run;
  private final List<String> violations = new ArrayList<>();
  private int changes = 1;

  Player(Script script, RunFixture fixture, DrawnWorld world, Journal journal) {
    this.script = script;
    this.fixture = fixture;
    this.world = world;
    this.stack = world.stack;
    this.journal = journal;
    this.run = new KeptRun(script, fixture, world, journal);
  }

  /** What was found wrong, one line for each. */
  List<String> play() {
    stack.retry(script.retry()).resync(script.resync()).destroyOnDelete(script.destroyOnDelete());
    stack.finalizer(false);
    run.start();
    for (Step step : script.steps()) {
      run.pass(step.after());
      did(step.toString());
      apply(step);
    }
    did("all is well");
    world.becomeWell();
    stack.obstacle(Obstacle.NONE).waitingFor(WaitingFor.NOTHING);
    run.wake();
    if (!stack.deleting()) {
      settle("known", () -> !Model.of(script, journal).unknown());
      endPause();
      settle("in sync", this::inSync);
    }
    if (script.deletedInTheEnd() || stack.deleting()) {
      did("deletion in the end");
      delete();
      settle("gone", () -> run.gone() && !run.open());
    }
    violations.addAll(Model.of(script, journal).violations());
    return violations;
  }

  private void endPause() {
    if (!Model.of(script, journal).held() && stack.observation().pause().isEmpty()) {
      return;
    }
    settle("paused", () -> run.view().phase().equals("Paused"));
    int before = Model.of(script, journal).sent();
    run.pass(Duration.ofHours(2));
    if (Model.of(script, journal).sent() != before) {
      violations.add("an operation began though the Stack is paused");
    }
    did("resumed in the end");
    stack.pause("");
    resume();
    run.wake();
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
        if (run.tell(to -> to.hold("audit"))) {
          journal.add(new Journal.Held(world.now(), true));
        }
      }
      case RESUME -> resume();
      case PAUSE -> change(of -> of.pause("upgrade"));
      case UNPAUSE -> change(of -> of.pause(""));
      case WAKE -> {
        for (int i = 0; i < number; i++) {
          run.wake();
        }
      }
      case CANCEL_OPERATION -> run.tell(to -> to.cancelOperation("wrong region"));
      case CANCEL_RUN -> run.cancel();
      case TERMINATE_RUN -> run.terminate(Duration.ofMinutes(number));
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
    run.wake();
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
    boolean reached = run.tell(to -> to.retryNow(new RetryRequest(resetting, "by a person")));
    journal.add(new Journal.Asked(world.now(), reached));
  }

  private void resume() {
    boolean held = Model.of(script, journal).held();
    journal.add(new Journal.Held(world.now(), false));
    if (!run.tell(StackWorkflow::resume) && held) {
      journal.add(new Journal.Held(world.now(), true));
    }
  }

  private void settle(String wanted, BooleanSupplier reached) {
    for (int round = 0; round < ROUNDS; round++) {
      run.pass(ROUND);
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
                run.open() ? run.view() : run.status(),
                world.reports().isEmpty() ? "none" : world.lastReport(),
                Ask.of(stack.observation()),
                Model.of(script, journal),
                fixture.environment.getDiagnostics()));
  }

  private void askAgainPastTheLimit() {
    int limit = script.retry().failureLimit();
    if (limit > 0
        && run.open()
        && run.view().phase().equals("Stalled")
        && run.view().failures() >= limit) {
      did("retry past the limit");
      retry(false);
    }
  }

  private boolean inSync() {
    Observation seen = stack.observation();
    ReportInput report = world.lastReport();
    var state = report.state();
    return run.view().phase().equals("InSync")
        && run.view().failures() == 0
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

  private void did(String what) {
    journal.add(new Journal.Did(world.now(), what));
  }
}
