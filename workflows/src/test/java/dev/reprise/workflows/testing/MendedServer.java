package dev.reprise.workflows.testing;

import com.google.protobuf.Empty;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.command.v1.Command;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.CommandType;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.testservice.v1.TestServiceGrpc;
import io.temporal.api.testservice.v1.UnlockTimeSkippingRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCanceledRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondActivityTaskFailedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedResponse;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskFailedRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Collectors;

/**
 * Stands between workers and the embedded test server and mends three of its faults, which no real
 * server has.
 *
 * <ul>
 *   <li>A workflow task that cancels an activity which has just completed, or a timer which has
 *       just fired, makes it forget that, so that the run waits forever. Such a task is failed here
 *       instead, as a server does with commands that what it knows has overtaken; the worker
 *       repeats it with the news.
 *   <li>An attempt of an activity that fails once the workflow has asked to cancel it is refused,
 *       so that the activity never ends. Here it fails for good, as it would on a server.
 *   <li>When a run closes while an attempt of an activity is under way, the lock that the attempt
 *       holds on time is never given back. It is when the attempt's answer is refused.
 * </ul>
 */
public final class MendedServer implements ClientInterceptor {
  private static final String NAMESPACE = "default";
  private static final String COMPLETED = "RespondWorkflowTaskCompleted";

  /** A timer that fires within this time is taken for one that may have fired. */
  private static final Duration NEAR = Duration.ofMillis(50);

  private final Map<Object, WorkflowExecution> tasks = new ConcurrentHashMap<>();

  private final Map<Object, String> activities = new ConcurrentHashMap<>();

  /** When each timer fires, or a moment before. */
  private final Map<String, Instant> timers = new ConcurrentHashMap<>();

  /** Activities complete under the read lock; under the write lock none does. */
  private final StampedLock completions = new StampedLock();

  /** How many tasks the workers have got and not answered yet. */
  public int underWay() {
    return tasks.size();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    ClientCall<Q, A> call = next.newCall(method, options);
    return switch (String.valueOf(method.getBareMethodName())) {
      case COMPLETED -> new TaskAnswer<>(call, next);
      case "PollWorkflowTaskQueue", "PollActivityTaskQueue" -> new Watched<>(call, next, false);
      case "RespondActivityTaskCompleted",
          "RespondActivityTaskFailed",
          "RespondActivityTaskCanceled" ->
          new Watched<>(call, next, true);
      default -> call;
    };
  }

  private void remember(Object message) {
    if (message instanceof PollWorkflowTaskQueueResponse task
        && !task.getTaskToken().isEmpty()
        && !task.hasQuery()) {
      tasks.put(task.getTaskToken(), task.getWorkflowExecution());
    } else if (message instanceof PollActivityTaskQueueResponse task
        && !task.getTaskToken().isEmpty()) {
      tasks.put(task.getTaskToken(), task.getWorkflowExecution());
      activities.put(task.getTaskToken(), task.getActivityId());
    } else if (message instanceof RespondWorkflowTaskCompletedResponse completed
        && completed.hasWorkflowTask()) {
      remember(completed.getWorkflowTask());
    }
  }

  /** An answer was refused: if because the run has closed, the lock on time is still there. */
  private static void unlockIfClosed(Channel channel, WorkflowExecution run) {
    var status = describe(channel, run).getWorkflowExecutionInfo().getStatus();
    if (status != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
      unlock(channel);
    }
  }

  /** Gives one lock on time back. */
  static void unlock(Channel channel) {
    var unused =
        TestServiceGrpc.newBlockingStub(channel)
            .unlockTimeSkipping(UnlockTimeSkippingRequest.getDefaultInstance());
  }

  private void refused(Channel channel, Optional<WorkflowExecution> run, Status status) {
    if (status.getCode() == Status.Code.NOT_FOUND) {
      run.ifPresent(
          of -> {
            Thread unused = Thread.startVirtualThread(() -> unlockIfClosed(channel, of));
          });
    }
  }

  /** The attempt as a server takes it: once a cancel has been asked for, it is the last. */
  private RespondActivityTaskFailedRequest asLast(
      Channel channel, WorkflowExecution run, RespondActivityTaskFailedRequest attempt) {
    String activity = String.valueOf(activities.remove(attempt.getTaskToken()));
    boolean cancelled =
        describe(channel, run).getPendingActivitiesList().stream()
            .filter(pending -> pending.getActivityId().equals(activity))
            .anyMatch(
                pending ->
                    pending.getState()
                        == PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED);
    if (!cancelled) {
      return attempt;
    }
    RespondActivityTaskFailedRequest.Builder last = attempt.toBuilder();
    last.getFailureBuilder().getApplicationFailureInfoBuilder().setNonRetryable(true);
    return last.build();
  }

  private static DescribeWorkflowExecutionResponse describe(
      Channel channel, WorkflowExecution run) {
    return WorkflowServiceGrpc.newBlockingStub(channel)
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(NAMESPACE)
                .setExecution(run)
                .build());
  }

  private Optional<WorkflowExecution> runOf(Object answer) {
    return switch (answer) {
      case RespondWorkflowTaskCompletedRequest a -> taken(a.getTaskToken());
      case RespondActivityTaskCompletedRequest a -> taken(a.getTaskToken());
      case RespondActivityTaskFailedRequest a -> taken(a.getTaskToken());
      case RespondActivityTaskCanceledRequest a -> taken(a.getTaskToken());
      default -> Optional.empty();
    };
  }

  private Optional<WorkflowExecution> taken(Object token) {
    return Optional.ofNullable(tasks.remove(token));
  }

  /** A call whose answer is looked at. */
  private final class Watched<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final Channel channel;
    private final boolean ofActivity;
    private Optional<WorkflowExecution> run = Optional.empty();
    private long stamp;

    Watched(ClientCall<Q, A> call, Channel channel, boolean ofActivity) {
      super(call);
      this.channel = channel;
      this.ofActivity = ofActivity;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      stamp = ofActivity ? completions.readLock() : 0;
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onMessage(A message) {
              remember(message);
              super.onMessage(message);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              if (ofActivity) {
                completions.unlockRead(stamp);
                refused(channel, run, status);
              }
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    @Override
    public void sendMessage(Q message) {
      run = runOf(message);
      super.sendMessage(run.isPresent() ? mended(run.get(), message) : message);
    }

    @SuppressWarnings("unchecked") // The same type as it came in.
    private Q mended(WorkflowExecution of, Q message) {
      return message instanceof RespondActivityTaskFailedRequest attempt
          ? (Q) asLast(channel, of, attempt)
          : message;
    }
  }

  /** The answer to a workflow task; begun only when it is known what it says. */
  private final class TaskAnswer<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final Channel channel;
    private final AtomicReference<Runnable> begin = new AtomicReference<>(() -> {});
    private final AtomicReference<Runnable> refuse = new AtomicReference<>(() -> {});
    private int requested;
    private Optional<WorkflowExecution> run = Optional.empty();
    private boolean overtaken;
    private long stamp;

    TaskAnswer(ClientCall<Q, A> call, Channel channel) {
      super(call);
      this.channel = channel;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      refuse.set(
          () ->
              listener.onClose(
                  Status.INVALID_ARGUMENT.withDescription("UNHANDLED_COMMAND"), new Metadata()));
      begin.set(
          () ->
              super.start(
                  new SimpleForwardingClientCallListener<>(listener) {
                    @Override
                    public void onMessage(A message) {
                      remember(message);
                      super.onMessage(message);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                      if (stamp != 0) {
                        completions.unlockWrite(stamp);
                      }
                      refused(channel, run, status);
                      super.onClose(status, trailers);
                    }
                  },
                  headers));
    }

    @Override
    public void request(int messages) {
      requested += messages;
    }

    @Override
    public void sendMessage(Q message) {
      RespondWorkflowTaskCompletedRequest answer = (RespondWorkflowTaskCompletedRequest) message;
      run = runOf(answer);
      List<Long> cancels = cancelledActivities(answer);
      if (run.isPresent() && !cancels.isEmpty()) {
        stamp = completions.writeLock();
        overtaken = !pending(run.get(), cancels);
      }
      overtaken |= timersOvertaken(answer);
      if (overtaken) {
        if (stamp != 0) {
          completions.unlockWrite(stamp);
        }
        try {
          fail(answer);
        } catch (StatusRuntimeException closed) {
          refused(channel, run, closed.getStatus());
        }
        refuse.get().run();
        return;
      }
      begin.get().run();
      super.request(requested);
      super.sendMessage(message);
    }

    @Override
    public void halfClose() {
      if (!overtaken) {
        super.halfClose();
      }
    }

    /** Notes the timers it starts, and tells whether one it cancels may have fired. */
    private boolean timersOvertaken(RespondWorkflowTaskCompletedRequest answer) {
      boolean fired = false;
      for (Command command : answer.getCommandsList()) {
        if (command.hasCancelTimerCommandAttributes()) {
          String id = command.getCancelTimerCommandAttributes().getTimerId();
          fired |= !timers.getOrDefault(id, Instant.MAX).isAfter(now().plus(NEAR));
        }
      }
      for (Command command : answer.getCommandsList()) {
        if (!fired && command.hasStartTimerCommandAttributes()) {
          var timer = command.getStartTimerCommandAttributes();
          Duration left =
              Duration.ofSeconds(
                  timer.getStartToFireTimeout().getSeconds(),
                  timer.getStartToFireTimeout().getNanos());
          timers.put(timer.getTimerId(), now().plus(left));
        }
      }
      return fired;
    }

    private Instant now() {
      var time =
          TestServiceGrpc.newBlockingStub(channel)
              .getCurrentTime(Empty.getDefaultInstance())
              .getTime();
      return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    private List<Long> cancelledActivities(RespondWorkflowTaskCompletedRequest answer) {
      List<Long> scheduled = new ArrayList<>();
      for (Command command : answer.getCommandsList()) {
        if (command.getCommandType() == CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK) {
          scheduled.add(
              command.getRequestCancelActivityTaskCommandAttributes().getScheduledEventId());
        }
      }
      return scheduled;
    }

    private boolean pending(WorkflowExecution run, List<Long> scheduled) {
      var ids =
          service()
              .getWorkflowExecutionHistory(
                  GetWorkflowExecutionHistoryRequest.newBuilder()
                      .setNamespace(NAMESPACE)
                      .setExecution(run)
                      .build())
              .getHistory()
              .getEventsList()
              .stream()
              .filter(event -> scheduled.contains(event.getEventId()))
              .map(event -> event.getActivityTaskScheduledEventAttributes().getActivityId())
              .toList();
      var pending =
          describe(channel, run).getPendingActivitiesList().stream()
              .map(activity -> activity.getActivityId())
              .collect(Collectors.toSet());
      return pending.containsAll(ids);
    }

    private void fail(RespondWorkflowTaskCompletedRequest answer) {
      var unused =
          service()
              .respondWorkflowTaskFailed(
                  RespondWorkflowTaskFailedRequest.newBuilder()
                      .setNamespace(answer.getNamespace())
                      .setIdentity(answer.getIdentity())
                      .setTaskToken(answer.getTaskToken())
                      .setCause(
                          WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND)
                      .build());
    }

    private WorkflowServiceBlockingStub service() {
      return WorkflowServiceGrpc.newBlockingStub(channel);
    }
  }
}
