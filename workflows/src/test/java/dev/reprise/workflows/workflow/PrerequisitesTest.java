package dev.reprise.workflows.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.workflows.activity.ReportActivity.StackEvent;
import dev.reprise.workflows.condition.Condition;
import dev.reprise.workflows.decision.OperationKind;
import dev.reprise.workflows.decision.RunRequest;
import dev.reprise.workflows.decision.WaitingFor;
import dev.reprise.workflows.testing.FakeWorld;
import dev.reprise.workflows.testing.RunFixture;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Stack that waits for others. */
class PrerequisitesTest {
  private static final RunRequest DB = request("db", "db-1");
  private static final RunRequest DNS = request("dns", "dns-1");

  @RegisterExtension final RunFixture fixture = new RunFixture();
  private final FakeWorld world = fixture.world;

  @Test
  void anOutOfDatePrerequisiteIsAskedOnceTheStackIsDueAndItDidNotStartByItself() {
    world.stack.waitingFor(outOfDate(DB));
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("WaitingForPrerequisites");
    assertThat(world.requests()).isEmpty();

    fixture.pass(Duration.ofSeconds(11));
    await().until(() -> !world.requests().isEmpty());

    assertThat(world.requests()).containsExactly(DB);
    await()
        .untilAsserted(
            () ->
                assertThat(world.reports())
                    .flatExtracting(report -> report.events())
                    .contains(
                        new StackEvent(false, "PrerequisiteRequested", "asked to run again: db")));
    // It is on the way now, which the next look sees.
    world.stack.waitingFor(List.of("prerequisite db has been asked to run"));
    fixture.pass(Duration.ofHours(2));
    assertThat(world.requests()).hasSize(1);

    world.stack.waitingFor(List.of());
    workflow.wake(new Hint("prerequisite db changed"));
    fixture.untilPhase("InSync");
  }

  @Test
  void onePrerequisiteThatStartsByItselfIsNotAsked() {
    world.stack.waitingFor(outOfDate(DB));
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("WaitingForPrerequisites");

    world.stack.waitingFor(List.of("prerequisite db runs now"));
    workflow.wake(new Hint("prerequisite db changed"));
    fixture.until(view -> view.message().equals("prerequisite db runs now"));
    fixture.pass(Duration.ofHours(1));

    assertThat(world.requests()).isEmpty();
  }

  @Test
  void wakesDoNotBeginThePatienceAfreshAndEachPrerequisiteIsAskedOnItsOwn() {
    world.stack.waitingFor(outOfDate(DB));
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("WaitingForPrerequisites");

    for (int look = 0; look < 4; look++) {
      String told = "look " + look;
      fixture.pass(Duration.ofSeconds(3));
      world.stack.waitingFor(new WaitingFor(List.of(told), List.of(DB), ""));
      workflow.wake(new Hint("prerequisite dns changed"));
      fixture.until(view -> view.message().equals(told));
    }
    assertThat(world.requests()).contains(DB).doesNotContain(DNS);

    world.stack.waitingFor(outOfDate(DNS));
    workflow.wake(new Hint("prerequisite db changed"));
    fixture.until(view -> view.message().contains("dns"));
    fixture.pass(Duration.ofSeconds(11));
    await().until(() -> world.requests().contains(DNS));
  }

  @Test
  void nobodyIsAskedForAStackThatIsNotDue() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.waitingFor(outOfDate(DB));
    workflow.wake(new Hint("anything"));
    fixture.pass(Duration.ofDays(2));

    assertThat(world.requests()).isEmpty();
    assertThat(world.operations()).hasSize(1);
  }

  @Test
  void aRequestThatIsRefusedIsToldAndMadeAgainAtTheNextLook() {
    world.refuseRequests().stack.waitingFor(outOfDate(DB));
    fixture.start();
    fixture.untilPhase("WaitingForPrerequisites");
    fixture.pass(Duration.ofSeconds(11));

    assertThat(fixture.until(view -> view.message().contains("cannot be asked")).message())
        .isEqualTo("prerequisite db is out of date; db cannot be asked");
    fixture.pass(Duration.ofMinutes(6));
    await().until(() -> world.requests().size() == 2);
  }

  @Test
  void aStackThatWasAskedSaysByWhomAndWhy() throws Exception {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.holdOperations();

    world.stack.token("after-web-1", "team/app waits for it and needs a success younger than 1h");
    workflow.wake(new Hint("reconciliation requested"));
    world.awaitOperation();

    String why =
        "reconciliation request: team/app waits for it and needs a success younger than 1h";
    assertThat(fixture.untilPhase("Running").message())
        .isEqualTo("stack is being processed: up, attempt 1 (" + why + ")");
    world.letOperationsThrough();
    fixture.untilPhase("InSync");
    await()
        .untilAsserted(
            () ->
                assertThat(world.reports())
                    .flatExtracting(report -> report.events())
                    .contains(new StackEvent(false, "StackUpdateDetected", why)));
  }

  @Test
  void aCycleIsStalledWithItsOwnReasonAsksNobodyAndIsOverWhenItIsBroken() {
    String cycle = "prerequisites form a cycle: web -> db -> web; remove one of them";
    world.stack.waitingFor(new WaitingFor(List.of("prerequisite db waits"), List.of(DB), cycle));
    StackWorkflow workflow = fixture.start();

    assertThat(fixture.untilPhase("Stalled").message()).isEqualTo(cycle);
    await()
        .untilAsserted(
            () ->
                assertThat(world.lastReport().conditions())
                    .contains(new Condition("Stalled", true, "PrerequisiteCycle", cycle)));
    assertThat(workflow.retry(new RetryRequest(false, "")))
        .isEqualTo("kept until this is mended: " + cycle);
    fixture.pass(Duration.ofHours(1));
    assertThat(world.requests()).isEmpty();

    world.stack.waitingFor(List.of());
    fixture.pass(Duration.ofMinutes(5));
    fixture.untilPhase("InSync");
  }

  @Test
  void aCycleDoesNotTouchAStackThatIsInSync() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");

    world.stack.waitingFor(new WaitingFor(List.of("prerequisite db waits"), List.of(), "a cycle"));
    workflow.wake(new Hint("anything"));
    fixture.pass(Duration.ofDays(2));

    assertThat(fixture.untilPhase("InSync").message()).contains("up to date");
  }

  @Test
  void aMissingPrerequisiteDoesNotHoldBackADeletion() {
    StackWorkflow workflow = fixture.start();
    fixture.untilPhase("InSync");
    world.stack.generation(2).waitingFor(List.of("prerequisite a does not exist"));
    workflow.wake(new Hint("generation 2"));
    fixture.untilPhase("WaitingForPrerequisites");

    world.stack.delete();
    workflow.wake(new Hint("deletion requested"));

    fixture.untilClosed(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
    assertThat(world.operations())
        .extracting(FakeWorld.Operation::kind)
        .containsExactly(OperationKind.UP, OperationKind.DESTROY);
  }

  private static RunRequest request(String name, String update) {
    return new RunRequest(name, "uid-" + name, update, "team/web waits for it");
  }

  private static WaitingFor outOfDate(RunRequest... requests) {
    return new WaitingFor(
        List.of(requests).stream()
            .map(r -> "prerequisite " + r.name() + " is out of date")
            .toList(),
        List.of(requests),
        "");
  }
}
