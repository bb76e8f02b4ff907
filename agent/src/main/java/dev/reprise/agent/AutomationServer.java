package dev.reprise.agent;

import com.google.protobuf.MessageLite;
import dev.reprise.agent.engine.Engine;
import dev.reprise.agent.engine.OperationRequest;
import dev.reprise.agent.operation.OperationException;
import dev.reprise.agent.operation.Operations;
import dev.reprise.proto.agent.AddEnvironmentsRequest;
import dev.reprise.proto.agent.AddEnvironmentsResult;
import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.agent.DestroyRequest;
import dev.reprise.proto.agent.DestroyStream;
import dev.reprise.proto.agent.InfoRequest;
import dev.reprise.proto.agent.InfoResult;
import dev.reprise.proto.agent.InstallRequest;
import dev.reprise.proto.agent.InstallResult;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.PreviewStream;
import dev.reprise.proto.agent.PulumiVersionRequest;
import dev.reprise.proto.agent.PulumiVersionResult;
import dev.reprise.proto.agent.RefreshRequest;
import dev.reprise.proto.agent.RefreshStream;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.SelectStackResult;
import dev.reprise.proto.agent.SetAllConfigRequest;
import dev.reprise.proto.agent.SetAllConfigResult;
import dev.reprise.proto.agent.StackSummary;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.agent.WhoAmIRequest;
import dev.reprise.proto.agent.WhoAmIResult;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The protocol that the Pulumi Kubernetes Operator's agent speaks, over an engine. */
final class AutomationServer extends AutomationServiceGrpc.AutomationServiceImplBase {
  private static final Logger log = LoggerFactory.getLogger(AutomationServer.class);

  /** It is kept in the journal and handed to programs in a variable. */
  private static final int MAX_ID = 1024;

  private final Supplier<Engine> engine;
  private final Operations operations;

  /**
   * @param engine asked at every call: the workspace may be filled after the agent has started
   */
  AutomationServer(Supplier<Engine> engine, Operations operations) {
    this.engine = engine;
    this.operations = operations;
  }

  @Override
  public void whoAmI(WhoAmIRequest request, StreamObserver<WhoAmIResult> call) {
    answer(call, () -> engine.get().whoAmI());
  }

  @Override
  public void selectStack(SelectStackRequest request, StreamObserver<SelectStackResult> call) {
    answer(
        call,
        () ->
            SelectStackResult.newBuilder()
                .setSummary(withProgress(engine.get().selectStack(request)))
                .build());
  }

  @Override
  public void info(InfoRequest request, StreamObserver<InfoResult> call) {
    answer(
        call, () -> InfoResult.newBuilder().setSummary(withProgress(engine.get().info())).build());
  }

  private StackSummary withProgress(StackSummary summary) {
    return summary.toBuilder()
        .setUpdateInProgress(summary.getUpdateInProgress() || operations.running())
        .build();
  }

  @Override
  public void setAllConfig(SetAllConfigRequest request, StreamObserver<SetAllConfigResult> call) {
    answer(
        call,
        () -> {
          engine.get().setAllConfig(request.getConfigList());
          return SetAllConfigResult.getDefaultInstance();
        });
  }

  @Override
  public void addEnvironments(
      AddEnvironmentsRequest request, StreamObserver<AddEnvironmentsResult> call) {
    answer(
        call,
        () -> {
          engine.get().addEnvironments(request.getEnvironmentList());
          return AddEnvironmentsResult.getDefaultInstance();
        });
  }

  @Override
  public void install(InstallRequest request, StreamObserver<InstallResult> call) {
    answer(
        call,
        () -> {
          engine.get().install();
          return InstallResult.getDefaultInstance();
        });
  }

  @Override
  public void pulumiVersion(
      PulumiVersionRequest request, StreamObserver<PulumiVersionResult> call) {
    answer(call, () -> PulumiVersionResult.newBuilder().setVersion(engine.get().version()).build());
  }

  @Override
  public void preview(PreviewRequest request, StreamObserver<PreviewStream> call) {
    stream(new OperationRequest.Preview(request), call, StreamShape.PREVIEW);
  }

  @Override
  public void up(UpRequest request, StreamObserver<UpStream> call) {
    stream(new OperationRequest.Up(request), call, StreamShape.UP);
  }

  @Override
  public void refresh(RefreshRequest request, StreamObserver<RefreshStream> call) {
    stream(new OperationRequest.Refresh(request), call, StreamShape.REFRESH);
  }

  @Override
  public void destroy(DestroyRequest request, StreamObserver<DestroyStream> call) {
    stream(new OperationRequest.Destroy(request), call, StreamShape.DESTROY);
  }

  private <T extends MessageLite> void stream(
      OperationRequest request, StreamObserver<T> observer, StreamShape<T> shape) {
    String given = OperationId.current();
    if (given.length() > MAX_ID) {
      observer.onError(
          Status.INVALID_ARGUMENT
              .withDescription("an operation id has at most " + MAX_ID + " characters")
              .asRuntimeException());
      return;
    }
    String id = given.isEmpty() ? "stream/" + UUID.randomUUID() : given;
    ServerCallStreamObserver<T> call = (ServerCallStreamObserver<T>) observer;
    OperationStream<T> stream = new OperationStream<>(call, shape);
    call.setOnCancelHandler(
        () -> {
          operations.unwatch(stream);
          if (given.isEmpty()) {
            operations.cancel(id, "the caller closed its stream");
          }
        });
    try {
      operations.start(id, request.kind(), () -> engine.get().operation(request), stream);
    } catch (OperationException e) {
      call.onError(Statuses.of(e));
    }
  }

  private interface Work<T> {
    T get() throws OperationException, InterruptedException;
  }

  /** Answers a single call; if the caller goes away, what runs for it is ended. */
  private static <T> void answer(StreamObserver<T> call, Work<T> work) {
    try (CallInterrupter interrupter = CallInterrupter.forThisThread()) {
      T answer = work.get();
      call.onNext(answer);
      call.onCompleted();
    } catch (OperationException e) {
      call.onError(Statuses.of(e));
    } catch (InterruptedException e) {
      call.onError(Status.CANCELLED.withDescription("the caller went away").asRuntimeException());
    } catch (RuntimeException e) {
      log.error("a call failed inside the agent", e);
      call.onError(Status.INTERNAL.withDescription("the agent failed: " + e).asRuntimeException());
    }
  }
}
