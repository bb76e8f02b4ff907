package dev.reprise.activities.agent;

import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import dev.reprise.proto.agent.AddEnvironmentsRequest;
import dev.reprise.proto.agent.AddEnvironmentsResult;
import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.agent.DestroyRequest;
import dev.reprise.proto.agent.DestroyResult;
import dev.reprise.proto.agent.DestroyStream;
import dev.reprise.proto.agent.InfoRequest;
import dev.reprise.proto.agent.InfoResult;
import dev.reprise.proto.agent.InstallRequest;
import dev.reprise.proto.agent.InstallResult;
import dev.reprise.proto.agent.OutputValue;
import dev.reprise.proto.agent.PreviewRequest;
import dev.reprise.proto.agent.PreviewResult;
import dev.reprise.proto.agent.PreviewStream;
import dev.reprise.proto.agent.RefreshRequest;
import dev.reprise.proto.agent.RefreshResult;
import dev.reprise.proto.agent.RefreshStream;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.SelectStackResult;
import dev.reprise.proto.agent.SetAllConfigRequest;
import dev.reprise.proto.agent.SetAllConfigResult;
import dev.reprise.proto.agent.StackSummary;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpResult;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.proto.agent.UpdateSummary;
import dev.reprise.proto.operation.CancelRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.OperationServiceGrpc;
import dev.reprise.proto.operation.Result;
import dev.reprise.proto.operation.State;
import dev.reprise.proto.operation.WatchRequest;
import dev.reprise.proto.operation.WatchResponse;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** An agent on loopback that does what a test tells it to. */
public final class FakeAgent implements AutoCloseable {
  private static final Context.Key<Metadata> HEADERS = Context.key("headers");

  /** Every call, as "Up id", "SelectStack dev", … in order. */
  public final List<String> calls = new CopyOnWriteArrayList<>();

  /** What Describe answers, by id; others are unknown. */
  public final Map<String, Operation> known = new ConcurrentHashMap<>();

  /** What Up does with its id and stream. */
  public volatile BiConsumer<String, StreamObserver<UpStream>> up = (id, stream) -> {};

  /** What every operation does when it is set, instead of {@link #up}. */
  public volatile Optional<Script> any = Optional.empty();

  /** What an operation of whatever kind does with its id and stream. */
  @FunctionalInterface
  public interface Script {
    void run(String id, Answer answer);
  }

  /** The stream of an operation of whatever kind. */
  public interface Answer {
    void event(Struct event);

    /** Ends with a result; "" = without a summary. */
    void result(String word, String message);

    /** Ends in good order without a result. */
    void close();

    void fail(StatusRuntimeException status);
  }

  /** What Watch does. */
  public volatile BiConsumer<String, StreamObserver<WatchResponse>> watch = (id, stream) -> {};

  /** What Cancel does besides answering. */
  public volatile BiConsumer<String, String> cancel = (id, reason) -> {};

  /** What a test waits for. */
  @FunctionalInterface
  public interface Waiting {
    void run() throws InterruptedException;
  }

  /** What SelectStack does before it answers. */
  public volatile Waiting beforeSelect = () -> {};

  /** Fails SelectStack when it is not OK. */
  public volatile Status select = Status.OK;

  /** Fails Install when it is not OK. */
  public volatile Status install = Status.OK;

  /** Fails SetAllConfig when it is not OK. */
  public volatile Status configure = Status.OK;

  /** Fails AddEnvironments when it is not OK. */
  public volatile Status environments = Status.OK;

  /** What Info answers. */
  public volatile boolean updateInProgress;

  /** Fails Info when it is not OK. */
  public volatile Status info = Status.OK;

  /** The configuration set last. */
  public volatile SetAllConfigRequest config = SetAllConfigRequest.getDefaultInstance();

  /** The authorization of the last call. */
  public volatile String authorization = "";

  /** Whether a stream was cancelled by the client. */
  public volatile boolean hungUpOn;

  private final Server server;
  private final int port;

  private FakeAgent(boolean ownService, int wanted) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted))
            .addService(ServerInterceptors.intercept(new Automation(), new Headers()));
    if (ownService) {
      builder.addService(ServerInterceptors.intercept(new Operations(), new Headers()));
    }
    this.server = builder.build().start();
    this.port = server.getPort();
  }

  /** With the operation service, as Reprise's own. */
  public static FakeAgent own() throws IOException {
    return new FakeAgent(true, 0);
  }

  /** The same on a certain port, for an agent that comes back. */
  public static FakeAgent own(int port) throws IOException {
    return new FakeAgent(true, port);
  }

  /** Without it. */
  public static FakeAgent plain() throws IOException {
    return new FakeAgent(false, 0);
  }

  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", port, "token-of-test");
  }

  public int port() {
    return port;
  }

  public long count(String prefix) {
    return calls.stream().filter(call -> call.startsWith(prefix)).count();
  }

  /** Marks an id as running since a time. */
  public void running(String id, Instant start, Instant lastEvent) {
    known.put(
        id,
        Operation.newBuilder()
            .setId(id)
            .setState(State.STATE_RUNNING)
            .setStartTime(timestamp(start))
            .setLastEventTime(timestamp(lastEvent))
            .build());
  }

  /** What runs now, as asked without an id. */
  public void runningNow(String id) {
    known.put("", Operation.newBuilder().setId(id).setState(State.STATE_RUNNING).build());
  }

  /** Marks an id. */
  public void state(String id, State state) {
    known.put(id, Operation.newBuilder().setId(id).setState(state).build());
  }

  public static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder().setSeconds(time.getEpochSecond()).build();
  }

  public static UpStream line(String text) {
    return UpStream.newBuilder().setEvent(stdout(text)).build();
  }

  public static Struct stdout(String text) {
    Struct message =
        Struct.newBuilder()
            .putFields("message", Value.newBuilder().setStringValue(text).build())
            .build();
    return Struct.newBuilder()
        .putFields("stdoutEvent", Value.newBuilder().setStructValue(message).build())
        .build();
  }

  public static UpResult result(String word, Map<String, OutputValue> outputs) {
    return UpResult.newBuilder()
        .setSummary(UpdateSummary.newBuilder().setResult(word))
        .putAllOutputs(outputs)
        .build();
  }

  public static UpStream end(UpResult result) {
    return UpStream.newBuilder().setResult(result).build();
  }

  public static WatchResponse watched(UpResult result, boolean cancelled) {
    return WatchResponse.newBuilder()
        .setResult(Result.newBuilder().setUp(result).setCancelled(cancelled))
        .build();
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String operationId() {
    String id = HEADERS.get().get(AgentConnection.OPERATION_ID);
    return id == null ? "" : id;
  }

  private void note(String call) {
    Metadata headers = HEADERS.get();
    String auth = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
    authorization = auth == null ? "" : auth;
    calls.add(call);
  }

  private static <T> void answer(StreamObserver<T> observer, Status status, T message) {
    if (status.isOk()) {
      observer.onNext(message);
      observer.onCompleted();
    } else {
      observer.onError(new StatusRuntimeException(status));
    }
  }

  private static final class Headers implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      return Contexts.interceptCall(
          Context.current().withValue(HEADERS, headers), call, headers, next);
    }
  }

  private record Stream<T>(
      StreamObserver<T> out, Function<Struct, T> event, Function<Optional<UpdateSummary>, T> result)
      implements Answer {
    @Override
    public void event(Struct one) {
      out.onNext(event.apply(one));
    }

    @Override
    public void result(String word, String message) {
      out.onNext(
          result.apply(
              word.isEmpty()
                  ? Optional.empty()
                  : Optional.of(
                      UpdateSummary.newBuilder().setResult(word).setMessage(message).build())));
      out.onCompleted();
    }

    @Override
    public void close() {
      out.onCompleted();
    }

    @Override
    public void fail(StatusRuntimeException status) {
      out.onError(status);
    }
  }

  private final class Automation extends AutomationServiceGrpc.AutomationServiceImplBase {
    @Override
    public void selectStack(SelectStackRequest request, StreamObserver<SelectStackResult> out) {
      note("SelectStack " + request.getStackName());
      try {
        beforeSelect.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      answer(out, select, SelectStackResult.getDefaultInstance());
    }

    @Override
    public void install(InstallRequest request, StreamObserver<InstallResult> out) {
      note("Install");
      answer(out, install, InstallResult.getDefaultInstance());
    }

    @Override
    public void setAllConfig(SetAllConfigRequest request, StreamObserver<SetAllConfigResult> out) {
      note("SetAllConfig");
      config = request;
      answer(out, configure, SetAllConfigResult.getDefaultInstance());
    }

    @Override
    public void addEnvironments(
        AddEnvironmentsRequest request, StreamObserver<AddEnvironmentsResult> out) {
      note("AddEnvironments " + request.getEnvironmentList());
      answer(out, environments, AddEnvironmentsResult.getDefaultInstance());
    }

    @Override
    public void info(InfoRequest request, StreamObserver<InfoResult> out) {
      note("Info");
      answer(
          out,
          info,
          InfoResult.newBuilder()
              .setSummary(StackSummary.newBuilder().setUpdateInProgress(updateInProgress))
              .build());
    }

    @Override
    public void up(UpRequest request, StreamObserver<UpStream> out) {
      String id = operationId();
      note("Up " + id);
      ((ServerCallStreamObserver<UpStream>) out).setOnCancelHandler(() -> hungUpOn = true);
      if (any.isEmpty()) {
        up.accept(id, out);
        return;
      }
      any.get()
          .run(
              id,
              new Stream<>(
                  out,
                  event -> UpStream.newBuilder().setEvent(event).build(),
                  summary ->
                      end(
                          summary
                              .map(UpResult.newBuilder()::setSummary)
                              .orElseGet(UpResult::newBuilder)
                              .build())));
    }

    @Override
    public void preview(PreviewRequest request, StreamObserver<PreviewStream> out) {
      run(
          "Preview ",
          out,
          event -> PreviewStream.newBuilder().setEvent(event).build(),
          summary ->
              PreviewStream.newBuilder()
                  .setResult(
                      summary
                          .map(PreviewResult.newBuilder()::setSummary)
                          .orElseGet(PreviewResult::newBuilder))
                  .build());
    }

    @Override
    public void refresh(RefreshRequest request, StreamObserver<RefreshStream> out) {
      run(
          "Refresh ",
          out,
          event -> RefreshStream.newBuilder().setEvent(event).build(),
          summary ->
              RefreshStream.newBuilder()
                  .setResult(
                      summary
                          .map(RefreshResult.newBuilder()::setSummary)
                          .orElseGet(RefreshResult::newBuilder))
                  .build());
    }

    @Override
    public void destroy(DestroyRequest request, StreamObserver<DestroyStream> out) {
      run(
          "Destroy ",
          out,
          event -> DestroyStream.newBuilder().setEvent(event).build(),
          summary ->
              DestroyStream.newBuilder()
                  .setResult(
                      summary
                          .map(DestroyResult.newBuilder()::setSummary)
                          .orElseGet(DestroyResult::newBuilder))
                  .build());
    }

    private <T> void run(
        String call,
        StreamObserver<T> out,
        Function<Struct, T> event,
        Function<Optional<UpdateSummary>, T> result) {
      String id = operationId();
      note(call + id);
      ((ServerCallStreamObserver<T>) out).setOnCancelHandler(() -> hungUpOn = true);
      any.orElseThrow().run(id, new Stream<>(out, event, result));
    }
  }

  private final class Operations extends OperationServiceGrpc.OperationServiceImplBase {
    @Override
    public void describe(DescribeRequest request, StreamObserver<Operation> out) {
      note("Describe " + request.getId());
      answer(out, Status.OK, describe(request.getId()));
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<WatchResponse> out) {
      note("Watch " + request.getId());
      ((ServerCallStreamObserver<WatchResponse>) out).setOnCancelHandler(() -> hungUpOn = true);
      out.onNext(WatchResponse.newBuilder().setSnapshot(describe(request.getId())).build());
      watch.accept(request.getId(), out);
    }

    @Override
    public void cancel(CancelRequest request, StreamObserver<Operation> out) {
      note("Cancel " + request.getId() + " " + request.getReason());
      cancel.accept(request.getId(), request.getReason());
      answer(out, Status.OK, describe(request.getId()));
    }

    private Operation describe(String id) {
      return known.getOrDefault(
          id, Operation.newBuilder().setId(id).setState(State.STATE_UNKNOWN).build());
    }
  }
}
