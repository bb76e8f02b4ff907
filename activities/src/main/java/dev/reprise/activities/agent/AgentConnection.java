package dev.reprise.activities.agent;

import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.operation.CancelRequest;
import dev.reprise.proto.operation.DescribeRequest;
import dev.reprise.proto.operation.Operation;
import dev.reprise.proto.operation.OperationServiceGrpc;
import dev.reprise.proto.operation.State;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One connection to an agent, made for one activity and closed with it: a channel that outlived its
 * agent would go on dialling an address somebody else may have by then.
 */
public final class AgentConnection implements AutoCloseable {
  /** Metadata key: the call belongs to this operation id, not to its stream. */
  public static final Metadata.Key<String> OPERATION_ID =
      Metadata.Key.of("reprise-operation-id", Metadata.ASCII_STRING_MARSHALLER);

  /** Trailer of a refusal: the id of the operation that runs instead. */
  public static final Metadata.Key<String> RUNNING_OPERATION_ID =
      Metadata.Key.of("reprise-running-operation-id", Metadata.ASCII_STRING_MARSHALLER);

  /** Limit of calls that only look something up or note something, in seconds. */
  private static final long SHORT_CALL_SECONDS = 10;

  /** Limit of SelectStack and configuration calls, which start a program, in seconds. */
  private static final long LONG_CALL_SECONDS = 120;

  private static final int CONNECT_MILLIS = 5_000;

  /** What the Pulumi Kubernetes Operator accepts: results carry whole outputs and logs. */
  private static final int MAX_MESSAGE = 400 * 1024 * 1024;

  /** Failure texts travel as metadata; the default of 8 KiB would lose them. */
  private static final int MAX_METADATA = 16 * 1024 * 1024;

  private final ManagedChannel channel;
  private final Authorization authorization;

  private AgentConnection(ManagedChannel channel, Authorization authorization) {
    this.channel = channel;
    this.authorization = authorization;
  }

  /** Prepares a connection; the first call dials. */
  public static AgentConnection open(Endpoint endpoint) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
            .usePlaintext()
            .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .maxInboundMessageSize(MAX_MESSAGE)
            .maxInboundMetadataSize(MAX_METADATA)
            // grpc-go answers pings more frequent than this by closing the connection.
            .keepAliveTime(5, TimeUnit.MINUTES)
            .keepAliveWithoutCalls(false)
            .proxyDetector(address -> null)
            .build();
    return new AgentConnection(channel, new Authorization(endpoint.credentials()));
  }

  /** The service without a limit, for streams. */
  public AutomationServiceGrpc.AutomationServiceBlockingV2Stub streams(String operationId) {
    Metadata id = new Metadata();
    id.put(OPERATION_ID, operationId);
    return authorized(AutomationServiceGrpc.newBlockingV2Stub(channel))
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(id));
  }

  /** The service for calls waited for elsewhere that answer within two minutes. */
  public AutomationServiceGrpc.AutomationServiceFutureStub limitedFutures() {
    return futures().withDeadlineAfter(LONG_CALL_SECONDS, TimeUnit.SECONDS);
  }

  /** The service for calls waited for elsewhere; the caller sets the limit. */
  public AutomationServiceGrpc.AutomationServiceFutureStub futures() {
    return authorized(AutomationServiceGrpc.newFutureStub(channel));
  }

  /** The operation service without a limit, for Watch. */
  public OperationServiceGrpc.OperationServiceBlockingV2Stub watches() {
    return authorized(OperationServiceGrpc.newBlockingV2Stub(channel));
  }

  /** What the agent knows of an id; "" asks for the running or last operation. */
  public Operation describe(String operationId) throws StatusException {
    return shortCalls().describe(DescribeRequest.newBuilder().setId(operationId).build());
  }

  /**
   * Whether an operation runs now; an agent without the operation service tells of none.
   *
   * @param limit how long to wait for the answer
   */
  public boolean running(Duration limit) throws StatusException {
    try {
      return watches()
              .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
              .describe(DescribeRequest.getDefaultInstance())
              .getState()
          == State.STATE_RUNNING;
    } catch (StatusException e) {
      if (AgentStatus.of(e).unimplemented()) {
        return false;
      }
      throw e;
    }
  }

  /** Asks for a graceful end of a running operation. */
  public Operation cancel(String operationId, String reason) throws StatusException {
    return shortCalls()
        .cancel(CancelRequest.newBuilder().setId(operationId).setReason(reason).build());
  }

  private OperationServiceGrpc.OperationServiceBlockingV2Stub shortCalls() {
    return watches().withDeadlineAfter(SHORT_CALL_SECONDS, TimeUnit.SECONDS);
  }

  private <S extends AbstractStub<S>> S authorized(S stub) {
    return stub.withInterceptors(authorization);
  }

  /** Drops the connection and with it every open call. */
  @Override
  public void close() {
    channel.shutdownNow();
  }
}
