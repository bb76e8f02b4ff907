package dev.reprise.dev.temporal;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.temporal.api.command.v1.Command;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskFailedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskFailedResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc;
import io.temporal.internal.testservice.TestWorkflowService;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Mends a fault of Temporal's test server, which no real server has
 * (https://github.com/temporalio/sdk-java/issues/3088): a workflow task that cancels a timer or an
 * activity which ended while the task was with the worker is refused half-way, and the run then
 * stands still until something else reaches it. Here such a task fails as a whole before the server
 * begins with it; the worker gets it again at once, with the news.
 */
final class OvertakenTasks implements ServerInterceptor {
  private static final String COMPLETED =
      WorkflowServiceGrpc.getRespondWorkflowTaskCompletedMethod().getFullMethodName();

  private final TestWorkflowService service;
  private final ServerInternals internals = new ServerInternals();

  OvertakenTasks(TestWorkflowService service) {
    this.service = service;
  }

  @Override
  public <Q, A> Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Listener<Q> listener = next.startCall(call, headers);
    return call.getMethodDescriptor().getFullMethodName().equals(COMPLETED)
        ? new Completion<>(call, listener)
        : listener;
  }

  /** The answer to one workflow task. The server handles it when the request is complete. */
  private final class Completion<Q, A> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, A> call;
    private RespondWorkflowTaskCompletedRequest request =
        RespondWorkflowTaskCompletedRequest.getDefaultInstance();

    Completion(ServerCall<Q, A> call, Listener<Q> listener) {
      super(listener);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      request = (RespondWorkflowTaskCompletedRequest) message;
      super.onMessage(message);
    }

    @Override
    public void onHalfClose() {
      Optional<ServerInternals.Run> run =
          cancels(request) ? internals.run(service, request.getTaskToken()) : Optional.empty();
      if (run.isEmpty()) {
        super.onHalfClose();
        return;
      }
      // Nothing of this run ends between the look and the server's own handling.
      Lock lock = run.get().lock();
      lock.lock();
      try {
        if (overtaken(run.get())) {
          service.respondWorkflowTaskFailed(failed(request), new Unheard());
          call.close(Status.INVALID_ARGUMENT.withDescription("UnhandledCommand"), new Metadata());
        } else {
          super.onHalfClose();
        }
      } finally {
        lock.unlock();
      }
    }

    private boolean overtaken(ServerInternals.Run run) {
      for (Command command : request.getCommandsList()) {
        if (command.hasCancelTimerCommandAttributes()
            && !run.timers().containsKey(command.getCancelTimerCommandAttributes().getTimerId())) {
          return true;
        }
        if (command.hasRequestCancelActivityTaskCommandAttributes()
            && !run.activities()
                .containsKey(
                    command
                        .getRequestCancelActivityTaskCommandAttributes()
                        .getScheduledEventId())) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean cancels(RespondWorkflowTaskCompletedRequest request) {
    return request.getCommandsList().stream()
        .anyMatch(
            command ->
                command.hasCancelTimerCommandAttributes()
                    || command.hasRequestCancelActivityTaskCommandAttributes());
  }

  private static RespondWorkflowTaskFailedRequest failed(
      RespondWorkflowTaskCompletedRequest request) {
    return RespondWorkflowTaskFailedRequest.newBuilder()
        .setNamespace(request.getNamespace())
        .setIdentity(request.getIdentity())
        .setTaskToken(request.getTaskToken())
        .setCause(WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND)
        .build();
  }

  /** The worker is told by the status of its own call; a task that has gone needs no failing. */
  private static final class Unheard implements StreamObserver<RespondWorkflowTaskFailedResponse> {
    @Override
    public void onNext(RespondWorkflowTaskFailedResponse value) {}

    @Override
    public void onError(Throwable gone) {}

    @Override
    public void onCompleted() {}
  }
}
