package dev.reprise.cli;

import static org.awaitility.Awaitility.await;

import dev.reprise.activities.Activities;
import dev.reprise.activities.context.ActivityContext;
import dev.reprise.workflows.workflow.TaskQueues;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestWorkflowEnvironment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StackWorkerTest {
  private final TestWorkflowEnvironment temporal = TestWorkflowEnvironment.newInstance();

  @AfterEach
  void close() {
    temporal.close();
  }

  @Test
  void aWorkerTakesTasksFromItsFirstResumeOnAndEndsAlsoWhileSuspended() {
    try (StackWorker worker =
        new StackWorker(
            temporal.getWorkflowClient(),
            "c",
            new Activities(List.of(), List.of(), List.of()),
            true,
            new ActivityContext())) {
      WorkflowExecution first = begin("first");
      worker.suspend();
      worker.resume();
      await().until(() -> taken(first));

      worker.suspend();
      WorkflowExecution second = begin("second");
      worker.resume();
      await().until(() -> taken(second));
      worker.suspend();
    }
  }

  private WorkflowExecution begin(String id) {
    WorkflowStub stub =
        temporal
            .getWorkflowClient()
            .newUntypedWorkflowStub(
                "OfNoUse",
                WorkflowOptions.newBuilder()
                    .setWorkflowId(id)
                    .setTaskQueue(TaskQueues.of("c").stacks())
                    .build());
    return stub.start();
  }

  private boolean taken(WorkflowExecution run) {
    return temporal.getWorkflowClient().fetchHistory(run.getWorkflowId()).getEvents().stream()
        .anyMatch(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED);
  }
}
