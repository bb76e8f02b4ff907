package dev.reprise.activities.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.reprise.activities.agent.Endpoint;
import dev.reprise.activities.agent.FakeAgent;
import dev.reprise.proto.agent.UpStream;
import dev.reprise.stack.StackReader;
import dev.reprise.stack.spec.Policy;
import dev.reprise.workflows.activity.OperationActivity.OperationOutput;
import dev.reprise.workflows.decision.Outcome;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However much an operation tells, its follower holds little of it at a time. */
class StreamedOutputTest {
  private static final int RUNS = 4;
  private static final int EVENTS = 5_000;
  private static final int EVENT_SIZE = 10 * 1024;

  @TempDir Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void operationsThatTellFiftyMegabytesEachAreFollowedWithAHeapOfThirtyTwo() throws Exception {
    try (FakeAgent agent = FakeAgent.own()) {
      agent.up = (id, stream) -> stream((ServerCallStreamObserver<UpStream>) stream);
      Path output = folder.resolve("output.txt");
      Process follower =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx32m",
                  "-XX:MaxDirectMemorySize=32m",
                  "-XX:+UseSerialGC",
                  "-XX:+IgnoreUnrecognizedVMOptions",
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Follower.class.getName(),
                  Integer.toString(agent.port()))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();

      follower.waitFor();

      assertThat(Files.readAllLines(output))
          .isEqualTo(Collections.nCopies(RUNS, Outcome.SUCCEEDED + " " + EVENTS));
      assertThat(follower.exitValue()).isZero();
      assertThat(agent.count("Up")).isEqualTo(RUNS);
    }
  }

  /** As fast as it is read, so that nothing piles up on this side either. */
  private static void stream(ServerCallStreamObserver<UpStream> call) {
    Struct.Builder metadata = Struct.newBuilder();
    metadata.putFields("urn", text("urn:pulumi:dev::shop::aws:s3/bucket:Bucket::logs"));
    metadata.putFields("inputs", text("x".repeat(EVENT_SIZE)));
    Struct pre = Struct.newBuilder().putFields("metadata", struct(metadata.build())).build();
    UpStream event =
        UpStream.newBuilder()
            .setEvent(Struct.newBuilder().putFields("resourcePreEvent", struct(pre)))
            .build();
    int[] left = {EVENTS};
    call.setOnReadyHandler(
        () -> {
          while (call.isReady() && left[0] > 0) {
            call.onNext(event);
            left[0]--;
            if (left[0] == 0) {
              end(call);
            }
          }
        });
  }

  private static void end(StreamObserver<UpStream> call) {
    call.onNext(FakeAgent.end(FakeAgent.result("succeeded", Map.of())));
    call.onCompleted();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value struct(Struct struct) {
    return Value.newBuilder().setStructValue(struct).build();
  }

  /** A worker's part of it, as a process with a heap of its own. */
  static final class Follower {
    private Follower() {}

    public static void main(String[] arguments) throws InterruptedException {
      FakeWorkspaces workspaces = new FakeWorkspaces();
      int port = Integer.parseInt(arguments[0]);
      workspaces.endpoint = Optional.of(new Endpoint("127.0.0.1", port, "token-of-test"));
      RunOperation.Parts parts =
          new RunOperation.Parts(
              stack -> OperationFixture.found(3, false, Map.of()),
              new StackReader(Policy.DEFAULTS),
              stack -> List.of(),
              workspaces,
              secret -> "",
              Timing.DEFAULT);
      for (int run = 0; run < RUNS; run++) {
        long[] events = {0};
        OperationOutput output =
            new OperationAttempt(
                    parts,
                    OperationFixture.input(),
                    false,
                    beat -> events[0] = Math.max(events[0], beat.events()))
                .run();
        System.out.println(output.outcome() + " " + events[0]);
      }
    }
  }
}
