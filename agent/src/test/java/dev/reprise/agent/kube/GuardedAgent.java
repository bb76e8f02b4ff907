package dev.reprise.agent.kube;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.reprise.agent.Access;
import dev.reprise.agent.AgentConfig;
import dev.reprise.agent.AgentServer;
import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.agent.PulumiVersionRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** An agent that asks a {@link FakeApi} who calls, and its callers. */
final class GuardedAgent implements AutoCloseable {
  static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  final FakeApi api;
  private final AgentServer agent;
  private final ManagedChannel channel;

  GuardedAgent(Path folder) throws IOException, InterruptedException {
    api = new FakeApi(folder);
    Path workspace = Files.createDirectories(folder.resolve("workspace"));
    Files.writeString(workspace.resolve("up"), "#!/bin/sh\necho done\n");
    Files.setPosixFilePermissions(
        workspace.resolve("up"), PosixFilePermissions.fromString("rwxr-xr-x"));
    agent =
        AgentServer.start(
            AgentConfig.of(workspace, folder.resolve("state"))
                .withClock(now::get)
                .withAccess(
                    new Access.Kubernetes(
                        new WorkspaceAccess("shop.team", "team", "shop"), api.address())));
    channel = NettyChannelBuilder.forAddress("127.0.0.1", agent.port()).usePlaintext().build();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    agent.close();
    api.close();
  }

  AutomationServiceGrpc.AutomationServiceBlockingStub client(String authorization) {
    Metadata headers = new Metadata();
    if (!authorization.isEmpty()) {
      headers.put(AUTHORIZATION, authorization);
    }
    return AutomationServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(60, TimeUnit.SECONDS)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  String call(String token) {
    return client("Bearer " + token)
        .pulumiVersion(PulumiVersionRequest.getDefaultInstance())
        .getVersion();
  }

  Status refusal(String token) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> call(token)).getStatus();
  }

  void pass(Duration time) {
    now.updateAndGet(t -> t.plus(time));
  }
}
