package dev.reprise.agent;

import dev.reprise.agent.operation.Journal;
import dev.reprise.agent.operation.JournalEntry;
import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.operation.OperationServiceGrpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** An agent in this JVM, the programs of its workspace, and a client. */
final class Agent implements AutoCloseable {
  static final Metadata.Key<String> OPERATION_ID =
      Metadata.Key.of("reprise-operation-id", Metadata.ASCII_STRING_MARSHALLER);

  final Path workspace;
  final Path stateDir;
  final AgentServer server;
  final ManagedChannel channel;

  private Agent(Path folder, UnaryOperator<AgentConfig> settings)
      throws IOException, InterruptedException {
    this.workspace = Files.createDirectories(folder.resolve("workspace"));
    this.stateDir = folder.resolve("state");
    this.server =
        AgentServer.start(
            settings.apply(
                AgentConfig.of(workspace, stateDir).withCancelGrace(Duration.ofSeconds(20))));
    this.channel = connect(server.port());
  }

  static Agent start(Path folder) throws IOException, InterruptedException {
    return new Agent(folder, config -> config);
  }

  static Agent start(Path folder, UnaryOperator<AgentConfig> settings)
      throws IOException, InterruptedException {
    return new Agent(folder, settings);
  }

  static ManagedChannel connect(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port)
        .usePlaintext()
        .maxInboundMessageSize(400 * 1024 * 1024)
        .maxInboundMetadataSize(16 * 1024 * 1024)
        .build();
  }

  /** Writes an executable shell script into the workspace. */
  void program(String name, String body) throws IOException {
    program(workspace, name, body);
  }

  static void program(Path folder, String name, String body) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  AutomationServiceGrpc.AutomationServiceBlockingStub client() {
    return client(channel);
  }

  static AutomationServiceGrpc.AutomationServiceBlockingStub client(ManagedChannel channel) {
    return AutomationServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  AutomationServiceGrpc.AutomationServiceBlockingStub client(String operationId) {
    return client().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(id(operationId)));
  }

  static Metadata id(String operationId) {
    Metadata headers = new Metadata();
    headers.put(OPERATION_ID, operationId);
    return headers;
  }

  OperationServiceGrpc.OperationServiceBlockingStub operations() {
    return operations(channel);
  }

  static OperationServiceGrpc.OperationServiceBlockingStub operations(ManagedChannel channel) {
    return OperationServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  void select(String stack) {
    select(channel, stack);
  }

  static void select(ManagedChannel channel, String stack) {
    client(channel)
        .selectStack(SelectStackRequest.newBuilder().setStackName(stack).setCreate(true).build());
  }

  long starts(String id) throws IOException {
    return starts(stateDir, id);
  }

  static long starts(Path stateDir, String id) throws IOException {
    return Journal.read(stateDir).stream()
        .filter(line -> line.event() == JournalEntry.Event.STARTED && line.id().equals(id))
        .count();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.close();
  }
}
