package dev.reprise.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.reprise.agent.AgentAddress;
import dev.reprise.proto.agent.AutomationServiceGrpc;
import dev.reprise.proto.agent.SelectStackRequest;
import dev.reprise.proto.agent.UpRequest;
import dev.reprise.proto.agent.UpStream;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent as a pod starts and ends it. */
final class ServeTest {
  @TempDir Path folder;

  private Path program(String body) throws IOException {
    Path workspace = Files.createDirectories(folder.resolve("source/app"));
    Path up = workspace.resolve("up");
    Files.writeString(up, "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(up, PosixFilePermissions.fromString("rwxr-xr-x"));
    return Files.createSymbolicLink(folder.resolve("workspace"), workspace);
  }

  private Process serve(Path workspace, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("--", "serve", "--workspace", workspace.toString(), "--skip-install"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  private ManagedChannel connect(Process agent) throws IOException {
    Path state = folder.resolve(".agent");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> AgentAddress.read(state).isPresent() || !agent.isAlive());
    int port = AgentAddress.read(state).orElseThrow().port();
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  private static String endOf(Iterator<UpStream> stream) {
    try {
      stream.forEachRemaining(message -> {});
      return "no failure";
    } catch (StatusRuntimeException e) {
      return String.valueOf(e.getStatus().getDescription());
    }
  }

  @Test
  void theEndOfThePodInterruptsTheOperationAndItsCallerHearsTheEnd() throws Exception {
    Path variables = Files.writeString(folder.resolve(".env"), "GREETING='hello there'\n");
    Path workspace =
        program(
            """
            trap 'echo interrupted > interrupted; exit 130' INT
            echo "$GREETING" > started
            while :; do sleep 0.05; done
            """);
    Process agent = serve(workspace, "--auth-mode", "none", "--env-file", variables.toString());
    ManagedChannel channel = connect(agent);
    try {
      var client =
          AutomationServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
      client.selectStack(
          SelectStackRequest.newBuilder().setStackName("dev").setCreate(true).build());
      Iterator<UpStream> stream = client.up(UpRequest.getDefaultInstance());
      await().until(() -> Files.exists(workspace.resolve("started")));

      agent.destroy();

      assertThat(endOf(stream)).contains("the agent is shutting down");
      assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(workspace.resolve("interrupted")).exists();
      assertThat(workspace.resolve("started")).hasContent("hello there");
      assertThat(AgentAddress.read(folder.resolve(".agent"))).isEmpty();
    } finally {
      channel.shutdownNow();
      agent.destroyForcibly();
    }
  }
}
