package dev.reprise.dev.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.command.v1.CancelTimerCommandAttributes;
import io.temporal.api.command.v1.Command;
import io.temporal.api.command.v1.RequestCancelActivityTaskCommandAttributes;
import io.temporal.api.command.v1.ScheduleActivityTaskCommandAttributes;
import io.temporal.api.command.v1.StartTimerCommandAttributes;
import io.temporal.api.common.v1.ActivityType;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.CommandType;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.testservice.v1.SleepRequest;
import io.temporal.api.testservice.v1.TestServiceGrpc;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.SignalWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A worker's part is played by hand, so that the moments are as they have to be. */
class OvertakenTasksTest {
  private static final String NAMESPACE = "default";
  private static final TaskQueue QUEUE = TaskQueue.newBuilder().setName("queue").build();
  private static final Duration HALF_A_SECOND = Duration.newBuilder().setNanos(500_000_000).build();
  private static final Duration LATER = Duration.newBuilder().setSeconds(60).build();

  private final EmbeddedTemporal server = EmbeddedTemporal.start();
  private final WorkflowServiceStubs stubs =
      WorkflowServiceStubs.newServiceStubs(
          WorkflowServiceStubsOptions.newBuilder().setTarget(server.target()).build());
  private final WorkflowServiceBlockingStub temporal = stubs.blockingStub();

  @AfterEach
  void close() {
    stubs.shutdownNow();
    server.close();
  }

  @Test
  void aTaskThatCancelsATimerWhichHasJustFiredIsGivenAgainWithTheNews() {
    start();
    complete(poll(), startTimer("overtaken", HALF_A_SECOND));
    signal();
    PollWorkflowTaskQueueResponse overtaken = poll();
    passASecond();

    assertRefused(overtaken, cancelTimer("overtaken"));

    PollWorkflowTaskQueueResponse again = poll();
    assertThat(types(again)).contains(EventType.EVENT_TYPE_TIMER_FIRED);
    complete(again);
  }

  @Test
  void aTaskThatCancelsAnActivityWhichHasJustCompletedIsGivenAgainWithTheNews() {
    start();
    complete(poll(), scheduleActivity());
    signal();
    PollWorkflowTaskQueueResponse overtaken = poll();
    long scheduled =
        overtaken.getHistory().getEventsList().stream()
            .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
            .findFirst()
            .orElseThrow()
            .getEventId();
    completeActivity();

    assertRefused(overtaken, cancelActivity(scheduled));

    PollWorkflowTaskQueueResponse again = poll();
    assertThat(types(again)).contains(EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED);
    complete(again);
  }

  @Test
  void aTimerThatIsStillRunningIsCancelled() {
    start();
    complete(poll(), startTimer("later", LATER));
    signal();
    complete(poll(), cancelTimer("later"));
    signal();

    assertThat(types(poll())).contains(EventType.EVENT_TYPE_TIMER_CANCELED);
  }

  private void start() {
    var unused =
        temporal.startWorkflowExecution(
            StartWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setWorkflowId("id")
                .setRequestId(UUID.randomUUID().toString())
                .setWorkflowType(WorkflowType.newBuilder().setName("any"))
                .setTaskQueue(QUEUE)
                .build());
  }

  private PollWorkflowTaskQueueResponse poll() {
    return temporal.pollWorkflowTaskQueue(
        PollWorkflowTaskQueueRequest.newBuilder()
            .setNamespace(NAMESPACE)
            .setTaskQueue(QUEUE)
            .build());
  }

  private void complete(PollWorkflowTaskQueueResponse task, Command... commands) {
    var unused =
        temporal.respondWorkflowTaskCompleted(
            RespondWorkflowTaskCompletedRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setTaskToken(task.getTaskToken())
                .addAllCommands(List.of(commands))
                .build());
  }

  private void assertRefused(PollWorkflowTaskQueueResponse task, Command command) {
    assertThatThrownBy(() -> complete(task, command))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refused ->
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
        .hasMessageContaining("UnhandledCommand");
  }

  private void completeActivity() {
    var task =
        temporal.pollActivityTaskQueue(
            PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setTaskQueue(QUEUE)
                .build());
    var unused =
        temporal.respondActivityTaskCompleted(
            RespondActivityTaskCompletedRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setTaskToken(task.getTaskToken())
                .build());
  }

  private void signal() {
    var unused =
        temporal.signalWorkflowExecution(
            SignalWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId("id"))
                .setSignalName("anything")
                .build());
  }

  /** On the server's clock, whose timers end in order. */
  private void passASecond() {
    var unused =
        TestServiceGrpc.newBlockingStub(stubs.getRawChannel())
            .sleep(
                SleepRequest.newBuilder().setDuration(Duration.newBuilder().setSeconds(1)).build());
  }

  private static List<EventType> types(PollWorkflowTaskQueueResponse task) {
    return task.getHistory().getEventsList().stream().map(HistoryEvent::getEventType).toList();
  }

  private static Command startTimer(String id, Duration length) {
    return Command.newBuilder()
        .setCommandType(CommandType.COMMAND_TYPE_START_TIMER)
        .setStartTimerCommandAttributes(
            StartTimerCommandAttributes.newBuilder().setTimerId(id).setStartToFireTimeout(length))
        .build();
  }

  private static Command cancelTimer(String id) {
    return Command.newBuilder()
        .setCommandType(CommandType.COMMAND_TYPE_CANCEL_TIMER)
        .setCancelTimerCommandAttributes(CancelTimerCommandAttributes.newBuilder().setTimerId(id))
        .build();
  }

  private static Command scheduleActivity() {
    return Command.newBuilder()
        .setCommandType(CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK)
        .setScheduleActivityTaskCommandAttributes(
            ScheduleActivityTaskCommandAttributes.newBuilder()
                .setActivityId("activity")
                .setActivityType(ActivityType.newBuilder().setName("any"))
                .setTaskQueue(QUEUE)
                .setStartToCloseTimeout(LATER)
                .setScheduleToCloseTimeout(LATER))
        .build();
  }

  private static Command cancelActivity(long scheduled) {
    return Command.newBuilder()
        .setCommandType(CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK)
        .setRequestCancelActivityTaskCommandAttributes(
            RequestCancelActivityTaskCommandAttributes.newBuilder().setScheduledEventId(scheduled))
        .build();
  }
}
